# What find_package(upcard) reads.
include(CMakeFindDependencyMacro)
find_dependency(gRPC CONFIG)
include(${CMAKE_CURRENT_LIST_DIR}/upcardTargets.cmake)
