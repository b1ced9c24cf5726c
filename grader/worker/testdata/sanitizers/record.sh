#!/bin/sh -e
# Writes gcc.txt and clang.txt anew: what the sanitizers say about wrong.cpp. Addresses differ from machine to machine.
cd "$(dirname "$0")"
checks=address,signed-integer-overflow,float-cast-overflow,shift,integer-divide-by-zero,bounds,null,alignment,return,unreachable,vla-bound,bool,enum
program=$(mktemp)
trap 'rm -f "$program"' EXIT
export ASAN_OPTIONS=detect_leaks=0:symbolize=0:print_legend=0:detect_stack_use_after_return=1:malloc_context_size=40:redzone=256 \
       UBSAN_OPTIONS=symbolize=0:print_stacktrace=1
for compiler in gcc clang; do
  case $compiler in gcc) cxx=g++ ;; clang) cxx=clang++ ;; esac
  $cxx -std=c++20 -gdwarf-4 -g1 -fno-pie -no-pie -fno-omit-frame-pointer -w -O0 -D_GLIBCXX_SANITIZE_VECTOR=1 \
    -ftrivial-auto-var-init=pattern -fno-sanitize-recover=all -fsanitize=$checks wrong.cpp -o "$program"
  for number in $(seq 1 31); do
    echo "#### $number"
    # Without the bytes around the address, which nobody reads, and with at most twenty frames of a recursion.
    "$program" "$number" 2>&1 | grep -v -E '^(Shadow bytes|  0x|=>0x| [0-9a-f][0-9a-f] )' | grep -v -E '^    #([2-9][0-9]|[0-9][0-9][0-9]+) ' || true
  done | sed "s,$program,/program,g; s/ (BuildId: [0-9a-f]*)//" > $compiler.txt
done
