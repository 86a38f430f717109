// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_dropped: steps 0 and 4a of mm_rrm_split, T[s'], the residue of the digit that S dropped Delay steps
// before. Residues are kept in a memory, which is written in step 0; the second pass overwrites what the first has
// written. With Modulus > 0 they are logic.
//
`default_nettype none

module mm_rrm_split_dropped #(
  parameter int Width     = 256,
  parameter int Word      = 16,
  parameter int Beats     = 16,
  parameter int DigitBits = 4,
  parameter int Delay     = 1,
  parameter int Chains    = 2,
  parameter logic [Width-1:0] Modulus = '0  // 0 for any
) (
  input  wire                    clk_i,
  input  wire                    rst_ni,
  input  wire                    pre_i,      // step 0
  input  wire                    in_load_i,  // residue_i is the next word of T[row_i]
  input  wire  [DigitBits-1:0]   row_i,
  input  wire  [Word-1:0]        residue_i,
  input  wire                    clear_s_i,
  input  wire                    clear_t_i,
  input  wire  [2*DigitBits-1:0] s_i,        // the lowest digits of S
  input  wire  [DigitBits-1:0]   s_next_i,   // the lowest one in the next cycle
  input  wire  [DigitBits-1:0]   e_i,        // that of E
  input  wire                    c_i,        // the saved carry of that of S
  output logic [Width-1:0]       t_o
);

  localparam bit Fixed = Modulus != '0;
  localparam int Rows  = 1 << DigitBits;

  // ---- step 0: a word of a residue, and where it goes

  logic [Beats-1:0]     residue_write;
  logic [DigitBits-1:0] residue_row;
  logic [Word-1:0]      residue_word;
  logic                 unused_residues;

  if (Fixed) begin : gen_no_passes
    assign residue_write = '0;
    assign residue_row   = '0;
    assign residue_word  = '0;
  end else begin : gen_passes
    logic [Beats-1:0]     place_t_q, residue_write_q;
    logic [2*Beats-1:0]   turned;
    logic [DigitBits-1:0] row_q;
    logic [Word-1:0]      residue_q;
    logic                 unused_turned;

    assign turned        = {place_t_q, place_t_q} << 1;
    assign unused_turned = ^turned;
    assign residue_write = residue_write_q;
    assign residue_row   = row_q;
    assign residue_word  = residue_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        place_t_q       <= Beats'(1);
        residue_write_q <= '0;
      end else begin
        if (pre_i && in_load_i) place_t_q <= turned[2*Beats-1:Beats];
        residue_write_q <= place_t_q & {Beats{pre_i & in_load_i}};
      end
    end

    always_ff @(posedge clk_i) begin
      row_q     <= row_i;
      residue_q <= residue_i;
    end
  end

  assign unused_residues = ^{residue_write, residue_row, residue_word};

  // The residues of a modulus that is fixed, one after the other: each begins as its digit, and is halved, M
  // added where it is odd.
  function automatic logic [Rows*Width-1:0] residues(input logic [Width-1:0] m);
    logic [Width+DigitBits:0] found;
    residues = '0;
    for (int digit = 0; digit < Rows; digit++) begin
      found = (Width+DigitBits+1)'(digit);
      for (int i = 0; i < DigitBits * (Delay + 1); i++) begin
        if (found[0]) found = found + (Width+DigitBits+1)'(m);
        found = found >> 1;
      end
      if (found >= (Width+DigitBits+1)'(m)) found = found - (Width+DigitBits+1)'(m);
      residues[digit*Width+:Width] = Width'(found);
    end
  endfunction

  // Some columns of them, from one on.
  function automatic logic [Rows*Word-1:0] columns(
    input logic [Rows*Width-1:0] all, input int low, input int bits
  );
    logic [Width-1:0] one;
    columns = '0;
    for (int digit = 0; digit < Rows; digit++) begin
      one     = all[digit*Width+:Width];
      columns = columns | ((Rows*Word)'(Word'(one >> low)) << digit * bits);
    end
  endfunction

  localparam logic [Rows*Width-1:0] Residues = Fixed ? residues(Modulus) : '0;

  // ---- step 4a: the digit that the next step drops, for 64 columns each

  localparam int LowWords = (64 + Word - 1) / Word;
  localparam int Lows     = (Beats + LowWords - 1) / LowWords;
  localparam int Later    = Chains == 1 ? Delay : Delay - 1;

  logic [Lows-1:0][DigitBits-1:0] low;
  logic                           unused_low, unused_next;

  for (genvar i = 0; i < Lows; i++) begin : gen_low
    mm_rrm_split_low #(
      .DigitBits(DigitBits)
    ) u_low (
      .s_i(s_i[2*DigitBits-1:DigitBits]), .e_i, .c_i, .digit_o(low[i])
    );
  end

  assign unused_low  = ^low;
  assign unused_next = ^{s_i, s_next_i, clear_s_i};

  for (genvar b = 0; b < Beats; b++) begin : gen_residue
    localparam int Low  = b * Word;
    localparam int Size = b == Beats - 1 ? Width - Low : Word;

    logic [DigitBits-1:0] addr;
    logic [Size-1:0]      residue, t_q;

    // A digit of S becomes an address once it is in its register, or a cycle earlier where E is available to be added
    // to.
    if (Later == 0) begin : gen_now
      assign addr = low[b/LowWords];
    end else if (Later == 2) begin : gen_latest
      logic [DigitBits-1:0] addr_q;
      always_ff @(posedge clk_i) begin
        if (clear_s_i) addr_q <= '0;
        else           addr_q <= s_i[DigitBits-1:0];
      end
      assign addr = addr_q;
    end else begin : gen_later
      mm_rrm_copy #(
        .Bits(DigitBits)
      ) u_addr (
        .clk_i, .clear_i(clear_s_i), .d_i(s_next_i), .q_o(addr)
      );
    end

    if (Fixed) begin : gen_logic
      mm_rrm_split_residues #(
        .DigitBits(DigitBits), .Bits(Size), .Residues((Rows*Size)'(columns(Residues, Low, Size)))
      ) u_residues (
        .digit_i(addr), .residue_o(residue)
      );
    end else begin : gen_table
      mm_word_ram #(
        .Word(Size), .Depth(Rows)
      ) u_residues (
        .clk_i, .write_i(residue_write[b]), .write_addr_i(residue_row), .word_i(residue_word[Size-1:0]),
        .read_addr_i(addr), .word_o(residue)
      );
    end

    always_ff @(posedge clk_i) begin
      if (clear_t_i) t_q <= '0;
      else           t_q <= residue;
    end

    assign t_o[Low+:Size] = t_q;
  end

endmodule

`default_nettype wire
