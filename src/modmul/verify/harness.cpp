// SPDX-License-Identifier: Apache-2.0
//
// The simulation harness: any Verilated module, and one behind modmul's port list (docs/contract.md) driven in
// batches, through a C interface. Integers cross it as little-endian 32-bit words; those of operands and results
// have room for the longest, whatever length is set at run time.

#include "harness.h"

#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

using Words = std::vector<uint32_t>;

// The contract's ports, in the order of PORTS.
enum Port { kClk, kRst, kCtxValid, kCtxReady, kCtxData, kCtxError, kInValid, kInReady, kX, kY,
            kOutValid, kOutReady, kZ, kControls };  // kControls + i: control port i of the core

// `bits` bits of a packed integer, from bit `from` on; bits above its `count` words read as zero.
void slice(const uint32_t* packed, int count, long from, int bits, Words& out) {
    for (int i = 0; i * 32 < bits; ++i) {
        const long at = from + 32L * i;
        const long w = at / 32;
        const int s = int(at % 32);
        uint64_t v = w < count ? packed[w] : 0;
        if (w + 1 < count) v |= uint64_t(packed[w + 1]) << 32;
        uint32_t word = uint32_t(v >> s);
        const int left = bits - 32 * i;
        if (left < 32) word &= (uint32_t(1) << left) - 1;
        out[i] = word;
    }
}

void deposit(uint32_t* packed, int count, long from, int bits, const Words& in) {
    for (int b = 0; b < bits; ++b) {
        const long at = from + b;
        if (at / 32 < count && ((in[b / 32] >> (b % 32)) & 1)) packed[at / 32] |= uint32_t(1) << (at % 32);
    }
}

// A core behind the contract's ports.
class Driver {
  public:
    // ports: the design's number of each Port; bits: of the longest operand; in_flight: operations the core holds at
    // most; held: the controls that are held through all beats of the operands.
    Driver(Dut& dut, const int* ports, int controls, uint32_t held, int bits, int word, int in_flight)
        : dut_(dut), ports_(ports, ports + kControls + controls), bits_(bits), word_(word), in_flight_(in_flight),
          controls_(controls), held_(held), beats_((bits + word - 1) / word), longest_(beats_),
          word32_((word + 31) / 32), packed_((longest_ * word + 31) / 32) {}

    bool bit(int port) { uint32_t v[2] = {0, 0}; peek(port, v); return v[0] & 1; }
    void set(int port, bool value) { const uint32_t v[2] = {value, 0}; poke(port, v); }

    void settle() { dut_.settle(); }
    void edge() { dut_.edge(); }

    // From now on watch[0] is the clock cycle, for another thread to read; when that sets watch[1], a run ends.
    void watch(volatile int64_t* watch) { watch_ = watch; }

    // Control i is bit i; with the later beats of the operands those of held_, and the others' complement.
    void controls(uint32_t mask, bool first) {
        if (!first) mask ^= ~held_;
        for (int i = 0; i < controls_; ++i) set(kControls + i, (mask >> i) & 1);
    }

    // The length of operands and results from now on.
    int operands(int bits) {
        const int beats = (bits + word_ - 1) / word_;
        if (bits < 1 || beats > longest_) return fail("operands of " + std::to_string(bits) + " bits are too long");
        bits_ = bits;
        beats_ = beats;
        return 0;
    }

    void reset(int cycles) {
        for (int port : {kCtxValid, kInValid, kOutReady}) set(port, false);
        set(kRst, false);
        for (int i = 0; i < cycles; ++i) { settle(); edge(); }
        set(kRst, true);
        settle();
    }

    int fail(const std::string& text) { error_ = text + " (cycle " + std::to_string(dut_.cycle) + ")"; return -1; }

    // Load `count` context beats, each in words of its own; 0, or -1 with an error text.
    int context(const uint32_t* beats, int count, long limit) {
        const long start = dut_.cycle;
        for (int b = 0; b < count; ++b) {
            poke(kCtxData, beats + long(b) * word32_);
            set(kCtxValid, true);
            for (bool taken = false; !taken;) {
                settle();
                taken = bit(kCtxReady);
                edge();
                if (dut_.cycle - start > limit) return fail("the context was not accepted");
            }
        }
        set(kCtxValid, false);
        settle();
        return 0;
    }

    // Run n operations. x, y, z: n packed integers. masks: n masks of the control ports. accepted: the cycle of
    // each operation's first operand beat; last: of its last beat; valid: the first cycle its result was shown.
    // idle, stall: chance in 256 of a cycle without operands, without readiness for a result.
    int run(long n, const uint32_t* x, const uint32_t* y, const uint32_t* masks, uint32_t* z,
            int64_t* accepted, int64_t* last, int64_t* valid, uint32_t seed, int idle, int stall, long limit) {
        std::mt19937 rng(seed);
        const auto roll = [&rng](int chance) { return chance && int(rng() & 255) < chance; };
        Words xb(word32_ + 1), yb(word32_ + 1), zb(word32_ + 1), held(word32_ + 1);
        long begun = 0, sent = 0, got = 0;
        int in_beat = 0, out_beat = 0;
        bool offering = false, stalled = false, shown = false;
        long quiet = dut_.cycle;
        while (got < n) {
            if (!offering && sent < n && !roll(idle)) {
                slice(x + sent * packed_, packed_, long(in_beat) * word_, word_, xb);
                slice(y + sent * packed_, packed_, long(in_beat) * word_, word_, yb);
                poke(kX, xb.data());
                poke(kY, yb.data());
                controls(masks[sent], in_beat == 0);
                offering = true;
            }
            const bool ready = !roll(stall);
            set(kInValid, offering);
            set(kOutReady, ready);
            settle();
            const bool take = offering && bit(kInReady);
            const bool show = bit(kOutValid);
            if (stalled && !show) return fail("out_valid_o fell before its result was taken");
            if (show) {
                if (got == sent && out_beat == 0) return fail("a result without operands");
                peek(kZ, zb.data());
                if (stalled && std::memcmp(zb.data(), held.data(), 4 * word32_))
                    return fail("z_o changed while it was stalled");
                held = zb;
                if (!shown && out_beat == 0) { valid[got] = dut_.cycle; shown = true; }
            }
            if (take) {
                if (in_beat == 0) { accepted[sent] = dut_.cycle; ++begun; }
                if (++in_beat == beats_) { last[sent] = dut_.cycle; in_beat = 0; ++sent; }
                offering = false;
            }
            if (show && ready) {
                for (int b = bits_ - out_beat * word_; b < word_; ++b)
                    if (b >= 0 && ((zb[b / 32] >> (b % 32)) & 1)) return fail("z_o has bits above the operand");
                deposit(z + got * packed_, packed_, long(out_beat) * word_, word_, zb);
                shown = false;
                if (++out_beat == beats_) { out_beat = 0; ++got; }
            }
            if (begun - got > in_flight_) return fail("more operations in flight than the description says");
            stalled = show && !ready;
            edge();
            if (watch_) {
                watch_[0] = dut_.cycle;
                if (watch_[1]) return fail("stopped");
            }
            if (take || (show && ready)) quiet = dut_.cycle;
            if (dut_.cycle - quiet > limit) return fail("no progress: operands are not accepted or no result comes");
        }
        set(kInValid, false);
        set(kOutReady, false);
        settle();
        return 0;
    }

    // One operation; the traced registers after every clock edge from the last operand beat on, until
    // the result is valid. Returns the number of edges, or -1.
    long follow(const uint32_t* x, const uint32_t* y, uint32_t mask, uint32_t* states, int words,
                long limit) {
        Words xb(word32_ + 1), yb(word32_ + 1);
        set(kOutReady, false);
        for (int b = 0; b < beats_;) {
            slice(x, packed_, long(b) * word_, word_, xb);
            slice(y, packed_, long(b) * word_, word_, yb);
            poke(kX, xb.data());
            poke(kY, yb.data());
            controls(mask, b == 0);
            set(kInValid, true);
            settle();
            b += bit(kInReady);
            edge();
            if (--limit < 0) return fail("operands are not accepted");
        }
        set(kInValid, false);
        for (long n = 0; n < limit; ++n) {
            settle();
            dut_.trace(states + n * words);
            if (bit(kOutValid)) {
                set(kOutReady, true);
                for (int b = 0; b < beats_;) { settle(); b += bit(kOutValid); edge(); }
                set(kOutReady, false);
                settle();
                return n + 1;
            }
            edge();
        }
        return fail("no result comes");
    }

    // One operation, in which a bit flips after the clock edge `fault[0]` behind the first beat of the operands:
    // fault[1] is the number of the register, then word and bit; no register is -1. z gets the words that leave.
    // Returns their number, but for zeros at the end while ctx_error_o is high; one more than there are of a result
    // if it is exceeded, and -2 minus it if ctx_error_o has been high. It ends `quiet` cycles after the last beat of anything.
    long strike(const uint32_t* x, const uint32_t* y, uint32_t mask, const int64_t* fault, uint32_t* z, long quiet,
                long limit) {
        Words xb(word32_ + 1), yb(word32_ + 1), zb(word32_ + 1);
        int in_beat = 0, out_beat = 0, place = 0;
        bool error = false;
        set(kOutReady, true);
        for (long since = -1, still = 0; still < (out_beat < beats_ ? limit : quiet); ++still) {
            if (in_beat < beats_) {
                slice(x, packed_, long(in_beat) * word_, word_, xb);
                slice(y, packed_, long(in_beat) * word_, word_, yb);
                poke(kX, xb.data());
                poke(kY, yb.data());
                controls(mask, in_beat == 0);
            }
            set(kInValid, in_beat < beats_);
            settle();
            error |= bit(kCtxError);
            if (error && in_beat == 0) break;
            const bool take = in_beat < beats_ && bit(kInReady);
            if (bit(kOutValid)) {
                still = 0;
                peek(kZ, zb.data());
                bool some = false;
                for (int i = 0; i < word32_; ++i) some |= zb[i] != 0;
                if (place < beats_) deposit(z, packed_, long(place) * word_, word_, zb);
                if (place <= beats_) ++place;
                if (!bit(kCtxError) || some) out_beat = place;
            }
            in_beat += take;
            if (since >= 0 || take) ++since;
            if (take) still = 0;
            edge();
            if (since == fault[0] && fault[1] >= 0) dut_.flip(int(fault[1]), int(fault[2]), int(fault[3]));
        }
        set(kInValid, false);
        set(kOutReady, false);
        settle();
        return error ? -2 - out_beat : out_beat;
    }

    const char* error() const { return error_.c_str(); }

  private:
    void poke(int port, const uint32_t* words) { dut_.poke(ports_[port], words); }
    void peek(int port, uint32_t* words) { dut_.peek(ports_[port], words); }

    Dut& dut_;
    std::vector<int> ports_;  // the design's number of each Port
    int bits_, word_, in_flight_, controls_;
    uint32_t held_;
    int beats_, longest_, word32_, packed_;
    std::string error_;
    volatile int64_t* watch_ = nullptr;
};

}  // namespace

extern "C" {

void mm_delete(void* d) { delete static_cast<Dut*>(d); }
void mm_poke(void* d, int port, const uint32_t* w) { static_cast<Dut*>(d)->poke(port, w); }
void mm_peek(void* d, int port, uint32_t* w) { static_cast<Dut*>(d)->settle(); static_cast<Dut*>(d)->peek(port, w); }
void mm_cover(void* d, const char* file) { static_cast<Dut*>(d)->cover(file); }
void mm_edge(void* d) { static_cast<Dut*>(d)->settle(); static_cast<Dut*>(d)->edge(); }

// n clock cycles: in each the inputs of a row of `in`; its outputs, before the clock edge, to a row of `out`. A port
// takes 2 * ceil(bits / 64) words of a row.
void mm_rows(void* d, long n, const uint32_t* in, uint32_t* out) {
    Dut* dut = static_cast<Dut*>(d);
    const PortList& ports = dut->ports();
    for (long t = 0; t < n; ++t) {
        for (int p = 0; p < ports.count; ++p) {
            if (!ports.input[p]) continue;
            dut->poke(p, in);
            in += 2 * ((ports.bits[p] + 63) / 64);
        }
        dut->settle();
        for (int p = 0; p < ports.count; ++p) {
            if (ports.input[p] || ports.bits[p] == 0) continue;
            dut->peek(p, out);
            out += 2 * ((ports.bits[p] + 63) / 64);
        }
        dut->edge();
    }
}

void* mm_driver(void* d, const int* ports, int controls, uint32_t held, int bits, int word, int in_flight) {
    return new Driver(*static_cast<Dut*>(d), ports, controls, held, bits, word, in_flight);
}
void mm_driver_delete(void* d) { delete static_cast<Driver*>(d); }
void mm_reset(void* d, int cycles) { static_cast<Driver*>(d)->reset(cycles); }
void mm_watch(void* d, volatile int64_t* watch) { static_cast<Driver*>(d)->watch(watch); }
long mm_strike(void* d, const uint32_t* x, const uint32_t* y, uint32_t mask, const int64_t* fault, uint32_t* z,
               long quiet, long limit) {
    return static_cast<Driver*>(d)->strike(x, y, mask, fault, z, quiet, limit);
}
const char* mm_error(void* d) { return static_cast<Driver*>(d)->error(); }
int mm_operands(void* d, int bits) { return static_cast<Driver*>(d)->operands(bits); }
int mm_context(void* d, const uint32_t* w, int n, long limit) {
    return static_cast<Driver*>(d)->context(w, n, limit);
}
int mm_run(void* d, long n, const uint32_t* x, const uint32_t* y, const uint32_t* masks, uint32_t* z,
           int64_t* accepted, int64_t* last, int64_t* valid, uint32_t seed, int idle, int stall, long limit) {
    return static_cast<Driver*>(d)->run(n, x, y, masks, z, accepted, last, valid, seed, idle, stall, limit);
}
long mm_follow(void* d, const uint32_t* x, const uint32_t* y, uint32_t mask, uint32_t* states, int words, long limit) {
    return static_cast<Driver*>(d)->follow(x, y, mask, states, words, limit);
}

}
