// SPDX-License-Identifier: Apache-2.0
//
// What the harness (harness.cpp) and the generated file around each Verilated module share: a module as ports with
// numbers. Integers are little-endian 32-bit words.

#ifndef MODMUL_HARNESS_H
#define MODMUL_HARNESS_H

#include <cstdint>

#include "verilated.h"

// One port or register of whichever type Verilator chose for its width.
template <class T> void put(T& port, const uint32_t* words, int count) {
    uint64_t value = words[0];
    if (count > 1) value |= uint64_t(words[1]) << 32;
    port = static_cast<T>(value);
}
template <std::size_t N> void put(VlWide<N>& port, const uint32_t* words, int count) {
    for (int i = 0; i < int(N); ++i) port[i] = i < count ? words[i] : 0;
}
template <class T> void get(const T& port, uint32_t* words, int count) {
    words[0] = static_cast<uint32_t>(port);
    if (count > 1) words[1] = static_cast<uint32_t>(uint64_t(port) >> 32);
    for (int i = 2; i < count; ++i) words[i] = 0;
}
template <std::size_t N> void get(const VlWide<N>& port, uint32_t* words, int count) {
    for (int i = 0; i < count; ++i) words[i] = i < int(N) ? port[i] : 0;
}

// One bit of a register, or of a word of a memory, changes.
template <class T> void toggle(T& state, int, int bit) { state = T(state ^ (T(1) << bit)); }
template <std::size_t N> void toggle(VlWide<N>& state, int, int bit) { state[bit / 32] ^= uint32_t(1) << (bit % 32); }
template <class T, std::size_t N> void toggle(VlUnpacked<T, N>& state, int word, int bit) {
    toggle(state[word], 0, bit);
}

// The list of a design's ports.
struct PortList {
    int count;
    const int* bits;
    const bool* input;  // the clock is none
};

// A module in simulation. Its ports have the numbers of the list. The file generated for each design defines one, and
// a function that makes one with random values from a seed in all its registers.
class Dut {
  public:
    virtual ~Dut() = default;

    virtual void poke(int port, const uint32_t* words) = 0;
    virtual void peek(int port, uint32_t* words) = 0;
    virtual void clock(bool level) = 0;  // nothing without a clock
    virtual void eval() = 0;
    virtual void trace(uint32_t* words) = 0;  // the registers asked for
    virtual void flip(int number, int word, int bit) = 0;  // of those that can be changed
    virtual const PortList& ports() const = 0;
    virtual void cover(const char* file) {}  // write what was counted, or, without a file, begin anew; nothing uncovered

    // Inputs settle while the clock is low; then one rising edge.
    void settle() { clock(false); eval(); }
    void edge() { clock(true); eval(); ++cycle; }

    int64_t cycle = 0;
};

#endif
