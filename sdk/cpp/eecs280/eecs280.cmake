# upcard_add_eecs280_bot() makes a bot of a Player.cpp that was written for EECS 280.

set(UPCARD_EECS280_DIR ${CMAKE_CURRENT_LIST_DIR})

# Adds the program `name`, which plays for the Players in Player.cpp of the current directory. Card.cpp
# is taken from there too, if there is one; other files can be named.
#
# The library `name`_core is all of it but `main`, for tests.
function(upcard_add_eecs280_bot name)
  set(cards ${CMAKE_CURRENT_SOURCE_DIR}/Card.cpp)
  if(NOT EXISTS ${cards})
    set(cards ${UPCARD_EECS280_DIR}/course/Card.cpp)
  endif()
  # As the course compiles it: C++17, with asserts. Bad indices of vectors are found as well.
  add_library(${name}_player STATIC Player.cpp ${cards} ${ARGN})
  set_target_properties(${name}_player PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON
                                                  CXX_EXTENSIONS OFF)
  target_compile_options(${name}_player PRIVATE -UNDEBUG)
  target_compile_definitions(${name}_player PRIVATE _GLIBCXX_ASSERTIONS)
  # Headers of the course that are brought along go before ours.
  target_include_directories(${name}_player PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}
                                                   ${UPCARD_EECS280_DIR}/course)

  # Not compiled once with the SDK: it has to see the same headers as the Players.
  set(source ${UPCARD_EECS280_DIR}/src)
  add_library(${name}_core STATIC ${source}/call_watch.cpp ${source}/cards.cpp
                                 ${source}/course_player.cpp ${source}/player_bot.cpp
                                 ${source}/story.cpp)
  target_include_directories(${name}_core PUBLIC ${source})
  target_link_libraries(${name}_core PUBLIC ${name}_player upcard::upcard)

  add_executable(${name} ${source}/main.cpp)
  target_link_libraries(${name} PRIVATE ${name}_core)
endfunction()
