// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_rsa_crt_table: the table T of an exponentiation, and how an entry of it is read.
//
// T has Entries entries of up to Beats words. An entry is read in one of two ways:
//   all_i high   the table is scanned: for each word of an entry, that word of every entry is read, and the one wanted
//                is kept by a mask. Addresses and cycles are the same for every index_i: secret indices.
//   all_i low    only the entry itself is read: for an index that everybody knows.
//
// start_i begins a read. Word b of the entry comes out with word_valid_o in cycle 4 + b after it or, in a scan, in
// cycle 3 + (b + 1) * Scanned: address; word read; word out of the memory, slow where that is a block RAM; word kept.
// last_o is high with the last word. A word that is read while it is being written is not used.
//
`default_nettype none

module mm_sys_rsa_crt_table #(
  parameter int Word    = 32,
  parameter int Beats   = 8,
  parameter int Entries = 17,
  parameter int Scanned = 16,  // entries 0 ... Scanned-1 are those of a scan
  // Derived, not to be set.
  parameter int BeatBits  = Beats > 1 ? $clog2(Beats) : 1,
  parameter int EntryBits = $clog2(Entries)
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire  [BeatBits-1:0]  last_beat_i,  // of an entry
  input  wire                  write_i,
  input  wire  [EntryBits-1:0] write_entry_i,
  input  wire  [BeatBits-1:0]  write_beat_i,
  input  wire  [Word-1:0]      write_word_i,
  input  wire                  start_i,
  input  wire                  all_i,
  input  wire  [EntryBits-1:0] index_i,
  output logic                 word_valid_o,
  output logic [BeatBits-1:0]  word_beat_o,
  output logic [Word-1:0]      word_o,
  output logic                 last_o
);

  localparam int Depth    = Entries << (Beats > 1 ? BeatBits : 0);
  localparam int AddrBits = $clog2(Depth);
  localparam logic [EntryBits-1:0] LastScanned = EntryBits'(Scanned - 1);

  (* no_rw_check *)  // a word that is read while it is written is not used
  logic [Word-1:0]      words [Depth];
  logic [Word-1:0]      read_q, read_q2, kept_q;
  logic [AddrBits-1:0]  write_addr, read_addr;
  logic                 busy_q, all_q;
  logic [EntryBits-1:0] index_q, entry_q;
  logic [BeatBits-1:0]  beat_q, beat_q2, beat_q3, beat_q4;
  logic                 whole, whole_q, whole_q2, whole_q3, end_q, end_q2, end_q3;
  logic                 first, first_q, first_q2, hit, hit_q, hit_q2;

  if (Beats > 1) begin : gen_words
    assign write_addr = {write_entry_i, write_beat_i};
    assign read_addr  = {entry_q, beat_q};
  end else begin : gen_word
    assign write_addr = write_entry_i;
    assign read_addr  = entry_q;
    logic unused_beats;
    assign unused_beats = ^{write_beat_i, beat_q};
  end

  always_ff @(posedge clk_i) begin
    if (write_i) words[write_addr] <= write_word_i;
    read_q  <= words[read_addr];
    read_q2 <= read_q;
  end

  // The address of the next word, entries first.
  assign first = ~all_q | (entry_q == '0);
  assign hit   = entry_q == index_q;
  assign whole = ~all_q | (entry_q == LastScanned);

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      all_q   <= all_i;
      index_q <= index_i;
      entry_q <= all_i ? '0 : index_i;
      beat_q  <= '0;
    end else if (busy_q) begin
      if (all_q) entry_q <= whole ? '0 : entry_q + 1'b1;
      if (whole) beat_q <= beat_q + 1'b1;
    end
    // The word read is masked and ORed with those before it.
    first_q  <= first;
    first_q2 <= first_q;
    hit_q    <= hit;
    hit_q2   <= hit_q;
    beat_q2  <= beat_q;
    beat_q3  <= beat_q2;
    beat_q4  <= beat_q3;
    kept_q   <= (first_q2 ? '0 : kept_q) | (read_q2 & {Word{hit_q2}});
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      whole_q  <= 1'b0;
      whole_q2 <= 1'b0;
      whole_q3 <= 1'b0;
      end_q    <= 1'b0;
      end_q2   <= 1'b0;
      end_q3   <= 1'b0;
    end else begin
      if (start_i)                                        busy_q <= 1'b1;
      else if (busy_q && whole && (beat_q == last_beat_i)) busy_q <= 1'b0;
      whole_q  <= busy_q & whole;
      whole_q2 <= whole_q;
      whole_q3 <= whole_q2;
      end_q    <= busy_q & whole & (beat_q == last_beat_i);
      end_q2   <= end_q;
      end_q3   <= end_q2;
    end
  end

  assign word_valid_o = whole_q3;
  assign word_beat_o  = beat_q4;
  assign word_o       = kept_q;
  assign last_o       = end_q3;

endmodule

`default_nettype wire
