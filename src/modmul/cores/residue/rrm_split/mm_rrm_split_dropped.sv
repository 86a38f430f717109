// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_dropped: steps 0 and 4a of mm_rrm_split, T[s'], the residue of the digit that S dropped Delay steps
// before. Residues are kept in a memory, which is written in step 0; the second pass overwrites what the first has
// written. With Modulus > 0 they are logic.
//
// s_next_i is the digit in cycle t, and t_o its residue in cycle t + 1 + Later, where Later is Delay, or one less where
// E is added to S in a cycle of its own (Chains = 2). The address is a register. With Later = 0 it is the only one, and
// t_o is 0 where the address is; otherwise t_o is a register, too. Row 0 of the memory is 0 from the words of M on.
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
  input  wire                    ctx_load_i, // a word of M comes
  input  wire                    in_load_i,  // residue_i is the next word of T[row_i]
  input  wire  [DigitBits-1:0]   row_i,
  input  wire  [Word-1:0]        residue_i,
  input  wire                    clear_s_i,
  input  wire                    clear_t_i,
  input  wire  [DigitBits-1:0]   s_i,        // the lowest digit of S
  input  wire  [DigitBits-1:0]   s_next_i,   // the same in the next cycle
  output logic [Width-1:0]       t_o
);

  localparam bit Fixed  = Modulus != '0;
  localparam int Rows   = 1 << DigitBits;
  localparam int Later  = Chains == 1 ? Delay : Delay - 1;
  localparam bit AtOnce = Later == 0;

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
    logic [DigitBits-1:0] row_q, row_q2;
    logic [Word-1:0]      residue_q, residue_q2;
    logic                 unused_turned, load_q;

    assign turned        = {place_t_q, place_t_q} << 1;
    assign unused_turned = ^turned;
    assign residue_write = residue_write_q;
    assign residue_row   = row_q2;
    assign residue_word  = residue_q2;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        load_q          <= 1'b0;
        place_t_q       <= Beats'(1);
        residue_write_q <= '0;
      end else begin
        load_q <= ctx_load_i | (pre_i & in_load_i);
        if (load_q) place_t_q <= turned[2*Beats-1:Beats];
        residue_write_q <= place_t_q & {Beats{load_q}};
      end
    end

    always_ff @(posedge clk_i) begin
      {row_q2, row_q} <= {row_q, row_i};
      residue_q       <= residue_i & {Word{~ctx_load_i}};
      residue_q2      <= residue_q;
    end
  end

  assign unused_residues = ^{residue_write, residue_row, residue_word, ctx_load_i};

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

  // ---- step 4a: the digit that the next step drops becomes an address, in a copy for each 16 columns or more

  localparam int Near   = (16 + Word - 1) / Word;  // words of columns that take the same copy
  localparam int Copies = (Beats + Near - 1) / Near;

  logic [Copies-1:0][DigitBits-1:0] addr;
  logic                             unused_digits;

  for (genvar i = 0; i < Copies; i++) begin : gen_address
    mm_rrm_copy #(
      .Bits(DigitBits)
    ) u_addr (
      .clk_i, .clear_i(AtOnce ? clear_t_i : clear_s_i), .d_i(Later == 2 ? s_i : s_next_i), .q_o(addr[i])
    );
  end

  assign unused_digits = ^{s_i, s_next_i, clear_s_i};

  for (genvar b = 0; b < Beats; b++) begin : gen_residue
    localparam int Low  = b * Word;
    localparam int Size = b == Beats - 1 ? Width - Low : Word;

    logic [Size-1:0] residue;

    if (Fixed) begin : gen_logic
      mm_rrm_split_residues #(
        .DigitBits(DigitBits), .Bits(Size), .Residues((Rows*Size)'(columns(Residues, Low, Size)))
      ) u_residues (
        .digit_i(addr[b/Near]), .residue_o(residue)
      );
    end else begin : gen_table
      mm_word_ram #(
        .Word(Size), .Depth(Rows)
      ) u_residues (
        .clk_i, .write_i(residue_write[b]), .write_addr_i(residue_row), .word_i(residue_word[Size-1:0]),
        .read_addr_i(addr[b/Near]), .word_o(residue)
      );
    end

    if (AtOnce) begin : gen_at_once
      assign t_o[Low+:Size] = residue;
    end else begin : gen_register
      logic [Size-1:0] t_q;

      always_ff @(posedge clk_i) begin
        if (clear_t_i) t_q <= '0;
        else           t_q <= residue;
      end

      assign t_o[Low+:Size] = t_q;
    end
  end

endmodule

`default_nettype wire
