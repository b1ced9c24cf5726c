#!/bin/sh -e
# Writes gcc.txt and clang.txt anew: what the compilers say about the .cpp files here.
cd "$(dirname "$0")"
root=../../../..
for compiler in gcc clang; do
  case $compiler in
    gcc) cxx="g++ -fdiagnostics-color=never -fmax-errors=20" ;;
    clang) cxx="clang++ -fno-color-diagnostics -ferror-limit=20" ;;
  esac
  for file in *.cpp; do
    echo "#### $file"
    LC_ALL=C.UTF-8 $cxx -std=c++20 -O1 -w -fsyntax-only -I$root/exercises/include -isystem /usr/include/eigen3 "$file" 2>&1 || true
  done > $compiler.txt
done
