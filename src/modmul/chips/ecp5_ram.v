// SPDX-License-Identifier: Apache-2.0
//
// DP16KD, block RAM of ECP5, as far as netlists here use it; Yosys declares the cell and has no model of it. A
// parameter that asks for more leads to a module that does not exist, so that no tool takes it. Words of 36 bits are
// written by port A, with its pins and those of port B, and read by port B.
//
module DP16KD (
  CLKA, WEA, CEA, OCEA, RSTA, CSA0, CSA1, CSA2, CLKB, WEB, CEB, OCEB, RSTB, CSB0, CSB1, CSB2, ADA0, ADA1, ADA2,
  ADA3, ADA4, ADA5, ADA6, ADA7, ADA8, ADA9, ADA10, ADA11, ADA12, ADA13, DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6,
  DIA7, DIA8, DIA9, DIA10, DIA11, DIA12, DIA13, DIA14, DIA15, DIA16, DIA17, ADB0, ADB1, ADB2, ADB3, ADB4, ADB5,
  ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12, ADB13, DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6, DIB7, DIB8, DIB9,
  DIB10, DIB11, DIB12, DIB13, DIB14, DIB15, DIB16, DIB17, DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8,
  DOA9, DOA10, DOA11, DOA12, DOA13, DOA14, DOA15, DOA16, DOA17, DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7,
  DOB8, DOB9, DOB10, DOB11, DOB12, DOB13, DOB14, DOB15, DOB16, DOB17
);
  parameter DATA_WIDTH_A = 18;
  parameter DATA_WIDTH_B = 18;
  parameter REGMODE_A    = "NOREG";
  parameter REGMODE_B    = "NOREG";
  parameter RESETMODE    = "SYNC";
  parameter ASYNC_RESET_RELEASE = "SYNC";
  parameter CSDECODE_A   = "0b000";
  parameter CSDECODE_B   = "0b000";
  parameter WRITEMODE_A  = "NORMAL";
  parameter WRITEMODE_B  = "NORMAL";
  parameter CLKAMUX      = "CLKA";
  parameter CLKBMUX      = "CLKB";
  parameter GSR          = "DISABLED";
  parameter [319:0]
    INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0, INITVAL_04 = 0, INITVAL_05 = 0, INITVAL_06 = 0,
    INITVAL_07 = 0, INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A = 0, INITVAL_0B = 0, INITVAL_0C = 0, INITVAL_0D = 0,
    INITVAL_0E = 0, INITVAL_0F = 0, INITVAL_10 = 0, INITVAL_11 = 0, INITVAL_12 = 0, INITVAL_13 = 0, INITVAL_14 = 0,
    INITVAL_15 = 0, INITVAL_16 = 0, INITVAL_17 = 0, INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0,
    INITVAL_1C = 0, INITVAL_1D = 0, INITVAL_1E = 0, INITVAL_1F = 0, INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 = 0,
    INITVAL_23 = 0, INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0, INITVAL_28 = 0, INITVAL_29 = 0,
    INITVAL_2A = 0, INITVAL_2B = 0, INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E = 0, INITVAL_2F = 0, INITVAL_30 = 0,
    INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0, INITVAL_34 = 0, INITVAL_35 = 0, INITVAL_36 = 0, INITVAL_37 = 0,
    INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0, INITVAL_3B = 0, INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0,
    INITVAL_3F = 0;

  input
    CLKA, WEA, CEA, OCEA, RSTA, CSA0, CSA1, CSA2, CLKB, WEB, CEB, OCEB, RSTB, CSB0, CSB1, CSB2;
  input
    ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7, ADA8, ADA9, ADA10, ADA11, ADA12, ADA13, DIA0, DIA1, DIA2, DIA3,
    DIA4, DIA5, DIA6, DIA7, DIA8, DIA9, DIA10, DIA11, DIA12, DIA13, DIA14, DIA15, DIA16, DIA17, ADB0, ADB1, ADB2,
    ADB3, ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12, ADB13, DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6,
    DIB7, DIB8, DIB9, DIB10, DIB11, DIB12, DIB13, DIB14, DIB15, DIB16, DIB17;
  output
    DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8, DOA9, DOA10, DOA11, DOA12, DOA13, DOA14, DOA15, DOA16,
    DOA17, DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8, DOB9, DOB10, DOB11, DOB12, DOB13, DOB14, DOB15,
    DOB16, DOB17;

  function known(input integer width);
    known = width == 36 || width == 18 || width == 9 || width == 4 || width == 2 || width == 1;
  endfunction

  localparam MODELLED = CSDECODE_A == "0b000" && CSDECODE_B == "0b000" && CLKAMUX == "CLKA" && CLKBMUX == "CLKB"
    && (RESETMODE == "SYNC" || RESETMODE == "ASYNC" && ASYNC_RESET_RELEASE == "ASYNC")
    && (REGMODE_A == "NOREG" || REGMODE_A == "OUTREG") && (REGMODE_B == "NOREG" || REGMODE_B == "OUTREG")
    && (WRITEMODE_A == "NORMAL" || WRITEMODE_A == "WRITETHROUGH" || WRITEMODE_A == "READBEFOREWRITE")
    && (WRITEMODE_B == "NORMAL" || WRITEMODE_B == "WRITETHROUGH" || WRITEMODE_B == "READBEFOREWRITE")
    && known(DATA_WIDTH_A)
    && known(DATA_WIDTH_B);

  generate
    if (!MODELLED) begin : gen_refused
      DP16KD_is_not_modelled_in_this_mode u_refused ();
    end
  endgenerate

  localparam [64*320-1:0] ROWS = {
    INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38, INITVAL_37,
    INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30, INITVAL_2F, INITVAL_2E,
    INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28, INITVAL_27, INITVAL_26, INITVAL_25,
    INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20, INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C,
    INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18, INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13,
    INITVAL_12, INITVAL_11, INITVAL_10, INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A,
    INITVAL_09, INITVAL_08, INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01,
    INITVAL_00
  };

  // A row of 18 bits takes 20.
  function [1024*18-1:0] packed_rows(input [64*320-1:0] rows);
    integer row;
    for (row = 0; row < 1024; row = row + 1) packed_rows[18*row+:18] = rows[20*row+:18];
  endfunction

  wire [13:0] addr_a = {
      ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0
  };
  wire [13:0] addr_b = {
      ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0
  };
  wire [35:0] word = {
      DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1,
      DIB0,
      DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1,
      DIA0
  };

  wire taken_a  = CEA && !CSA0 && !CSA1 && !CSA2;
  wire taken_b  = CEB && !CSB0 && !CSB1 && !CSB2;
  wire writes_a = taken_a && WEA && !(RESETMODE == "SYNC" && RSTA);
  wire writes_b = taken_b && WEB && !(RESETMODE == "SYNC" && RSTB) && DATA_WIDTH_A != 36;

  // The lowest bits of the address of a longer word are the enables of its parts.
  wire [3:0]  enables_a = DATA_WIDTH_A < 18 ? 4'd1 : DATA_WIDTH_A == 18 ? {2'd0, addr_a[1:0]} : addr_a[3:0];
  wire [3:0]  enables_b = DATA_WIDTH_B < 18 ? 4'd1 : {2'd0, addr_b[1:0]};
  wire [35:0] read_a, read_b;

  mm_model_ram18 #(
    .READ_A(DATA_WIDTH_A), .READ_B(DATA_WIDTH_B), .WRITE_A(DATA_WIDTH_A), .WRITE_B(DATA_WIDTH_B),
    .NEW_A(WRITEMODE_A == "WRITETHROUGH"), .NEW_B(WRITEMODE_B == "WRITETHROUGH"), .TABLE(packed_rows(ROWS))
  ) u_ram (
    .clk_a_i(CLKA), .clk_b_i(CLKB), .addr_a_i(addr_a), .addr_b_i(addr_b),
    .write_a_i(writes_a ? enables_a : 4'd0), .write_b_i(writes_b ? enables_b : 4'd0),
    .word_a_i(word), .word_b_i({18'd0, word[35:18]}), .word_a_o(read_a), .word_b_o(read_b)
  );

  reg  [35:0] a_q, b_q, late_a_q, late_b_q;
  wire        cleared_a = RESETMODE == "ASYNC" && RSTA;
  wire        cleared_b = RESETMODE == "ASYNC" && RSTB;

  always @(posedge CLKA or posedge cleared_a) begin
    if (cleared_a || RSTA) a_q <= 36'd0;
    else if (taken_a && !(writes_a && WRITEMODE_A == "NORMAL")) a_q <= read_a;
  end

  always @(posedge CLKB or posedge cleared_b) begin
    if (cleared_b || RSTB) b_q <= 36'd0;
    else if (taken_b && !(writes_b && WRITEMODE_B == "NORMAL")) b_q <= read_b;
  end

  always @(posedge CLKA or posedge cleared_a) begin
    if (cleared_a || RSTA) late_a_q <= 36'd0;
    else if (OCEA) late_a_q <= a_q;
  end

  always @(posedge CLKB or posedge cleared_b) begin
    if (cleared_b || RSTB) late_b_q <= 36'd0;
    else if (OCEB) late_b_q <= b_q;
  end

  wire [35:0] out_a = REGMODE_A == "OUTREG" ? late_a_q : a_q;
  wire [35:0] out_b = REGMODE_B == "OUTREG" ? late_b_q : b_q;

  // Of 36 bits the lower half comes out of the pins of port A.
  assign {
      DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1,
      DOA0
  } = DATA_WIDTH_B == 36 ? out_b[17:0] : out_a[17:0];
  assign {
      DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1,
      DOB0
  } = DATA_WIDTH_B == 36 ? out_b[35:18] : out_b[17:0];
endmodule
