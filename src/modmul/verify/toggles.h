// SPDX-License-Identifier: Apache-2.0
//
// Operations of a Verilated module behind modmul's port list (docs/contract.md), with the bits of its registers that
// change at each clock edge. The file generated for each design names the registers (toggles.py).

#ifndef MODMUL_TOGGLES_H
#define MODMUL_TOGGLES_H

#include <cstring>

#include "harness.h"

#define MODMUL_INLINE __attribute__((always_inline)) inline

// How many bits are 1, without an instruction that not every processor has.
MODMUL_INLINE int ones(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return int(bits * 0x0101010101010101u >> 56);
}

// Bits in which a register or a memory differs from what it was, which it is from now on.
template <class T> MODMUL_INLINE int changed(T& was, const T& is) {
    const uint64_t bits = uint64_t(was) ^ uint64_t(is);
    if (!bits) return 0;
    was = is;
    return ones(bits);
}
template <std::size_t N> MODMUL_INLINE int changed(VlWide<N>& was, const VlWide<N>& is) {
    int count = 0;
    for (std::size_t i = 0; i < N; ++i) count += changed(was[i], is[i]);
    return count;
}
template <class T, std::size_t N> MODMUL_INLINE int changed(VlUnpacked<T, N>& was, const VlUnpacked<T, N>& is) {
    if (!std::memcmp(&was, &is, sizeof is)) return 0;
    int count = 0;
    for (std::size_t i = 0; i < N; ++i) count += changed(was[i], is[i]);
    return count;
}

// Top: the Verilated module. Registers: those that are counted, with their values behind the last clock edge, made of
// the module's root; `step` calls its argument with the number of each and the bits that have changed since.
template <class Top, class Registers> class Counted {
  public:
    // word: bits of an operand's word.
    Counted(uint32_t seed, int word) : top_(context(seed)), words_((word + 31) / 32), registers_(*top_.rootp) {
        Registers::quiet(top_);
        reset(2);
    }
    ~Counted() {
        Verilated::threadContextp(&context_);
        top_.final();
    }

    void reset(int cycles) {
        top_.ctx_valid_i = top_.in_valid_i = top_.out_ready_i = 0;
        top_.rst_ni = 0;
        for (int i = 0; i < cycles; ++i) edge();
        top_.rst_ni = 1;
        settle();
    }

    // Load so many beats of a context, each in words of its own; whether they were taken.
    bool load(const uint32_t* beats, int count, long limit) {
        for (int b = 0; b < count; ++b) {
            put(top_.ctx_data_i, beats + long(b) * words_, words_);
            top_.ctx_valid_i = 1;
            for (bool taken = false; !taken;) {
                settle();
                taken = top_.ctx_ready_o;
                edge();
                if (--limit < 0) return false;
            }
        }
        top_.ctx_valid_i = 0;
        return true;
    }

    // One operation, its operands and its result in beats. totals[t]: bits that change at clock edge t, counted from
    // the one that takes the first beat of the operands; each[k][r]: the same at edge at[k] of register r. It ends
    // behind `rows` edges and, if `whole`, not before the last beat of the result. Returns the edges up to that one, 0
    // where there was none yet, -1 if the core is stuck, -2 if ctx_error_o was high.
    long run(const uint32_t* x, const uint32_t* y, int beats, long rows, uint16_t* totals, long chosen, const int64_t* at,
             uint16_t* each, uint32_t* z, bool whole, long limit) {
        int in = 0, out = 0;
        long since = -1, last = 0;
        bool error = false;
        top_.out_ready_i = 1;
        while (since + 1 < rows || (whole && out < beats)) {
            if (in < beats) {
                put(top_.x_i, x + long(in) * words_, words_);
                put(top_.y_i, y + long(in) * words_, words_);
            }
            top_.in_valid_i = in < beats;
            settle();
            error |= top_.ctx_error_o;
            const bool take = in < beats && top_.in_ready_o;
            if (top_.out_valid_o && out < beats) {
                get(top_.z_o, z + long(out) * words_, words_);
                if (++out == beats) last = since + 2;
            }
            in += take;
            edge();
            if (since >= 0 || take) ++since;
            if (since < 0 || since >= rows) {
                registers_.step(*top_.rootp, [](int, int) {});
            } else {
                uint16_t* row = nullptr;
                for (long k = 0; k < chosen; ++k)
                    if (at[k] == since) row = each + k * Registers::count;
                int total = 0;
                registers_.step(*top_.rootp, [&](int number, int bits) {
                    total += bits;
                    if (row) row[number] = uint16_t(bits);
                });
                totals[since] = uint16_t(total);
            }
            if (--limit < 0) return -1;
        }
        top_.in_valid_i = top_.out_ready_i = 0;
        settle();
        return error ? -2 : last;
    }

  private:
    void settle() { top_.clk_i = 0; top_.eval(); }
    void edge() { settle(); top_.clk_i = 1; top_.eval(); }

    VerilatedContext* context(uint32_t seed) {
        context_.threads(1);
        context_.randReset(2);  // registers without a reset start with random values
        context_.randSeed(int(seed & 0x7fffffff) | 1);
        return &context_;
    }
    VerilatedContext context_;
    Top top_;
    int words_;
    Registers registers_;
};

#endif
