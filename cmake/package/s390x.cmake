# SPDX-License-Identifier: MIT
# Builds for Linux on s390x with Debian's compiler, whose libraries of that
# architecture are installed beside ours. Programs run under qemu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER s390x-linux-gnu-g++)
set(CMAKE_C_FLAGS_INIT "")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x-static)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/s390x-linux-gnu/pkgconfig:/usr/share/pkgconfig)
