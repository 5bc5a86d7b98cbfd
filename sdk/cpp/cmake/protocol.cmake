# Makes C++ of the protocol's .proto files, and gives it to the library with gRPC.

# A bot in the directory above links them as well.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
find_package(gRPC CONFIG REQUIRED)
find_program(UPCARD_PROTOC protoc REQUIRED)
find_program(UPCARD_GRPC_PLUGIN grpc_cpp_plugin REQUIRED)

function(upcard_add_protocol target)
  set(proto ${CMAKE_CURRENT_SOURCE_DIR}/proto)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/protocol)
  set(sources)
  foreach(name cards euchre whist recycle referee)
    set(file upcard/v1/${name})
    # The lite form is enough, and half the work for the compiler.
    add_custom_command(
      OUTPUT ${made}/${file}.pb.cc ${made}/${file}.pb.h
      COMMAND ${CMAKE_COMMAND} -E make_directory ${made}
      COMMAND ${UPCARD_PROTOC} -I ${proto} --cpp_out=lite:${made} ${file}.proto
      DEPENDS ${proto}/${file}.proto
      VERBATIM)
    list(APPEND sources ${made}/${file}.pb.cc)
  endforeach()
  set(service ${made}/upcard/v1/referee.grpc.pb)
  add_custom_command(
    OUTPUT ${service}.cc ${service}.h
    COMMAND ${CMAKE_COMMAND} -E make_directory ${made}
    COMMAND ${UPCARD_PROTOC} -I ${proto} --grpc_out=${made}
            --plugin=protoc-gen-grpc=${UPCARD_GRPC_PLUGIN} upcard/v1/referee.proto
    DEPENDS ${proto}/upcard/v1/referee.proto
    VERBATIM)
  target_sources(${target} PRIVATE ${sources} ${service}.cc)
  target_include_directories(${target} PRIVATE ${made})
  # Bots speak through a local socket: none of them needs encryption.
  target_link_libraries(${target} PRIVATE gRPC::grpc++_unsecure)
endfunction()
