// SPDX-License-Identifier: Apache-2.0
//
// RAMB16_Sa_Sb, block RAM of Virtex-II, for ports of 9, 18 and 36 bits, and for two of the same 1, 2 or 4. Yosys
// declares the cells and has no models of them. Their tables are those of RAMB18E1: of each nine bits the ninth stands
// elsewhere, in INITP and at the ports.
//
module mm_model_ramb16 (
  clk_a_i, en_a_i, write_a_i, reset_a_i, addr_a_i, word_a_i, word_a_o,
  clk_b_i, en_b_i, write_b_i, reset_b_i, addr_b_i, word_b_i, word_b_o
);
  parameter SIDE_A = 18, SIDE_B = 18;
  parameter MODE_A = "WRITE_FIRST", MODE_B = "WRITE_FIRST";
  parameter [35:0] RESET_A = 0, RESET_B = 0;
  parameter [64*256-1:0] BYTES = 0;
  parameter [8*256-1:0] NINTHS = 0;
  // Address bits of a port.
  localparam LOW_A = SIDE_A == 36 ? 5 : SIDE_A == 18 ? 4 : SIDE_A == 9 ? 3 : SIDE_A / 2;
  localparam LOW_B = SIDE_B == 36 ? 5 : SIDE_B == 18 ? 4 : SIDE_B == 9 ? 3 : SIDE_B / 2;

  input                   clk_a_i, clk_b_i, en_a_i, en_b_i, write_a_i, write_b_i, reset_a_i, reset_b_i;
  input  [13-LOW_A:0]     addr_a_i;
  input  [13-LOW_B:0]     addr_b_i;
  input  [SIDE_A-1:0]         word_a_i;  // the ninths above the bytes
  input  [SIDE_B-1:0]         word_b_i;
  output [SIDE_A-1:0]         word_a_o;
  output [SIDE_B-1:0]         word_b_o;

  function [1024*18-1:0] packed_bits(input [64*256-1:0] bytes, input [8*256-1:0] ninths);
    integer at;
    for (at = 0; at < 2048; at = at + 1) packed_bits[9*at+:9] = {ninths[at], bytes[8*at+:8]};
  endfunction

  // Between nines, and ninths above bytes.
  function [35:0] in_nines(input integer width, input [35:0] word);
    integer at;
    begin
      in_nines = width < 9 ? word : 36'd0;
      for (at = 0; at < width / 9; at = at + 1) in_nines[9*at+:9] = {word[width/9*8+at], word[8*at+:8]};
    end
  endfunction

  function [35:0] apart(input integer width, input [35:0] nines);
    integer at;
    begin
      apart = width < 9 ? nines : 36'd0;
      for (at = 0; at < width / 9; at = at + 1) begin
        apart[8*at+:8]       = nines[9*at+:8];
        apart[width/9*8+at]  = nines[9*at+8];
      end
    end
  endfunction

  function [3:0] enables(input integer width);
    enables = width == 36 ? 4'd15 : width == 18 ? 4'd3 : 4'd1;
  endfunction

  wire        writes_a = en_a_i && write_a_i;
  wire        writes_b = en_b_i && write_b_i;
  wire [13:0] place_a = addr_a_i << LOW_A;
  wire [13:0] place_b = addr_b_i << LOW_B;
  wire [35:0] read_a, read_b;
  reg  [35:0] a_q, b_q;

  mm_model_ram18 #(
    .READ_A(SIDE_A), .READ_B(SIDE_B), .WRITE_A(SIDE_A), .WRITE_B(SIDE_B),
    .NEW_A(MODE_A == "WRITE_FIRST"), .NEW_B(MODE_B == "WRITE_FIRST"),
    .OLD_A(MODE_A == "READ_FIRST"), .OLD_B(MODE_B == "READ_FIRST"), .TABLE(packed_bits(BYTES, NINTHS))
  ) u_ram (
    .clk_a_i(clk_a_i), .clk_b_i(clk_b_i),
    .addr_a_i(place_a), .addr_b_i(place_b),
    .write_a_i(writes_a ? enables(SIDE_A) : 4'd0), .write_b_i(writes_b ? enables(SIDE_B) : 4'd0),
    .word_a_i(in_nines(SIDE_A, word_a_i)), .word_b_i(in_nines(SIDE_B, word_b_i)), .word_a_o(read_a), .word_b_o(read_b)
  );

  always @(posedge clk_a_i) begin
    if (en_a_i && reset_a_i) a_q <= RESET_A;
    else if (en_a_i && !(writes_a && MODE_A == "NO_CHANGE")) a_q <= apart(SIDE_A, read_a);
  end

  always @(posedge clk_b_i) begin
    if (en_b_i && reset_b_i) b_q <= RESET_B;
    else if (en_b_i && !(writes_b && MODE_B == "NO_CHANGE")) b_q <= apart(SIDE_B, read_b);
  end

  assign word_a_o = a_q[SIDE_A-1:0];
  assign word_b_o = b_q[SIDE_B-1:0];
endmodule

`define MM_RAMB16_PARAMETERS \
  parameter [35:0] INIT_A = 0, INIT_B = 0, SRVAL_A = 0, SRVAL_B = 0; \
  parameter WRITE_MODE_A = "WRITE_FIRST", WRITE_MODE_B = "WRITE_FIRST", SIM_COLLISION_CHECK = "ALL"; \
  parameter [255:0] \
    INITP_00 = 0, INITP_01 = 0, INITP_02 = 0, INITP_03 = 0, INITP_04 = 0, INITP_05 = 0, INITP_06 = 0, INITP_07 = 0, \
    INIT_00 = 0, INIT_01 = 0, INIT_02 = 0, INIT_03 = 0, INIT_04 = 0, INIT_05 = 0, INIT_06 = 0, INIT_07 = 0, \
    INIT_08 = 0, INIT_09 = 0, INIT_0A = 0, INIT_0B = 0, INIT_0C = 0, INIT_0D = 0, INIT_0E = 0, INIT_0F = 0, \
    INIT_10 = 0, INIT_11 = 0, INIT_12 = 0, INIT_13 = 0, INIT_14 = 0, INIT_15 = 0, INIT_16 = 0, INIT_17 = 0, \
    INIT_18 = 0, INIT_19 = 0, INIT_1A = 0, INIT_1B = 0, INIT_1C = 0, INIT_1D = 0, INIT_1E = 0, INIT_1F = 0, \
    INIT_20 = 0, INIT_21 = 0, INIT_22 = 0, INIT_23 = 0, INIT_24 = 0, INIT_25 = 0, INIT_26 = 0, INIT_27 = 0, \
    INIT_28 = 0, INIT_29 = 0, INIT_2A = 0, INIT_2B = 0, INIT_2C = 0, INIT_2D = 0, INIT_2E = 0, INIT_2F = 0, \
    INIT_30 = 0, INIT_31 = 0, INIT_32 = 0, INIT_33 = 0, INIT_34 = 0, INIT_35 = 0, INIT_36 = 0, INIT_37 = 0, \
    INIT_38 = 0, INIT_39 = 0, INIT_3A = 0, INIT_3B = 0, INIT_3C = 0, INIT_3D = 0, INIT_3E = 0, INIT_3F = 0;

`define MM_RAMB16_MODEL(A, B) \
  mm_model_ramb16 #( \
    .SIDE_A(A), .SIDE_B(B), .MODE_A(WRITE_MODE_A), .MODE_B(WRITE_MODE_B), .RESET_A(SRVAL_A), .RESET_B(SRVAL_B), \
    .NINTHS({INITP_07, INITP_06, INITP_05, INITP_04, INITP_03, INITP_02, INITP_01, INITP_00}), \
    .BYTES({ \
      INIT_3F, INIT_3E, INIT_3D, INIT_3C, INIT_3B, INIT_3A, INIT_39, INIT_38, INIT_37, INIT_36, INIT_35, INIT_34, \
      INIT_33, INIT_32, INIT_31, INIT_30, INIT_2F, INIT_2E, INIT_2D, INIT_2C, INIT_2B, INIT_2A, INIT_29, INIT_28, \
      INIT_27, INIT_26, INIT_25, INIT_24, INIT_23, INIT_22, INIT_21, INIT_20, INIT_1F, INIT_1E, INIT_1D, INIT_1C, \
      INIT_1B, INIT_1A, INIT_19, INIT_18, INIT_17, INIT_16, INIT_15, INIT_14, INIT_13, INIT_12, INIT_11, INIT_10, \
      INIT_0F, INIT_0E, INIT_0D, INIT_0C, INIT_0B, INIT_0A, INIT_09, INIT_08, INIT_07, INIT_06, INIT_05, INIT_04, \
      INIT_03, INIT_02, INIT_01, INIT_00 \
    }) \
  ) u_model ( \
    .clk_a_i(CLKA), .en_a_i(ENA), .write_a_i(WEA), .reset_a_i(SSRA), .addr_a_i(ADDRA), \
    .word_a_i(in_a), .word_a_o(out_a), \
    .clk_b_i(CLKB), .en_b_i(ENB), .write_b_i(WEB), .reset_b_i(SSRB), .addr_b_i(ADDRB), \
    .word_b_i(in_b), .word_b_o(out_b) \
  );

`define MM_RAMB16(A, B, NINTHS_A, NINTHS_B, LOW_A, LOW_B) \
module RAMB16_S``A``_S``B ( \
  input CLKA, ENA, WEA, SSRA, CLKB, ENB, WEB, SSRB, \
  input [13-LOW_A:0] ADDRA, input [13-LOW_B:0] ADDRB, \
  input [8*NINTHS_A-1:0] DIA, input [NINTHS_A-1:0] DIPA, input [8*NINTHS_B-1:0] DIB, input [NINTHS_B-1:0] DIPB, \
  output [8*NINTHS_A-1:0] DOA, output [NINTHS_A-1:0] DOPA, output [8*NINTHS_B-1:0] DOB, output [NINTHS_B-1:0] DOPB \
); \
  `MM_RAMB16_PARAMETERS \
  wire [A-1:0] in_a = {DIPA, DIA}; \
  wire [B-1:0] in_b = {DIPB, DIB}; \
  wire [A-1:0] out_a; \
  wire [B-1:0] out_b; \
  assign {DOPA, DOA} = out_a; \
  assign {DOPB, DOB} = out_b; \
  `MM_RAMB16_MODEL(A, B) \
endmodule

`define MM_RAMB16_WITHOUT_NINTHS(A, LOW) \
module RAMB16_S``A``_S``A ( \
  input CLKA, ENA, WEA, SSRA, CLKB, ENB, WEB, SSRB, \
  input [13-LOW:0] ADDRA, input [13-LOW:0] ADDRB, input [A-1:0] DIA, input [A-1:0] DIB, \
  output [A-1:0] DOA, output [A-1:0] DOB \
); \
  `MM_RAMB16_PARAMETERS \
  wire [A-1:0] in_a = DIA, in_b = DIB; \
  wire [A-1:0] out_a, out_b; \
  assign DOA = out_a; \
  assign DOB = out_b; \
  `MM_RAMB16_MODEL(A, A) \
endmodule

`MM_RAMB16_WITHOUT_NINTHS(1, 0)
`MM_RAMB16_WITHOUT_NINTHS(2, 1)
`MM_RAMB16_WITHOUT_NINTHS(4, 2)
`MM_RAMB16(9, 9, 1, 1, 3, 3)
`MM_RAMB16(9, 18, 1, 2, 3, 4)
`MM_RAMB16(9, 36, 1, 4, 3, 5)
`MM_RAMB16(18, 18, 2, 2, 4, 4)
`MM_RAMB16(18, 36, 2, 4, 4, 5)
`MM_RAMB16(36, 36, 4, 4, 5, 5)
