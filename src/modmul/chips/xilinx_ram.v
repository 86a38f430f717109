// SPDX-License-Identifier: Apache-2.0
//
// RAMB18E1, block RAM of the 7 series and of Virtex-6, as far as netlists here use it; Yosys declares the cell and has
// no model of it. A parameter that asks for more leads to a module that does not exist, so that no tool takes it. With
// RAM_MODE = "SDP" port A reads and port B writes, and 36 bits take the pins of both.
//
module RAMB18E1 (
  input         CLKARDCLK, CLKBWRCLK, ENARDEN, ENBWREN, REGCEAREGCE, REGCEB, RSTRAMARSTRAM, RSTRAMB, RSTREGARSTREG,
  input         RSTREGB,
  input  [13:0] ADDRARDADDR, ADDRBWRADDR,
  input  [15:0] DIADI, DIBDI,
  input  [1:0]  DIPADIP, DIPBDIP, WEA,
  input  [3:0]  WEBWE,
  output [15:0] DOADO, DOBDO,
  output [1:0]  DOPADOP, DOPBDOP
);
  parameter DOA_REG = 0;
  parameter DOB_REG = 0;
  parameter RAM_MODE = "TDP";
  parameter READ_WIDTH_A  = 0;
  parameter READ_WIDTH_B  = 0;
  parameter WRITE_WIDTH_A = 0;
  parameter WRITE_WIDTH_B = 0;
  parameter WRITE_MODE_A  = "WRITE_FIRST";
  parameter WRITE_MODE_B  = "WRITE_FIRST";
  parameter RDADDR_COLLISION_HWCONFIG = "DELAYED_WRITE";
  parameter RSTREG_PRIORITY_A = "RSTREG";
  parameter RSTREG_PRIORITY_B = "RSTREG";
  parameter SIM_COLLISION_CHECK = "ALL";
  parameter SIM_DEVICE = "VIRTEX6";
  parameter INIT_FILE  = "NONE";
  parameter [17:0] INIT_A = 0, INIT_B = 0, SRVAL_A = 0, SRVAL_B = 0;
  parameter [0:0]
    IS_CLKARDCLK_INVERTED = 0, IS_CLKBWRCLK_INVERTED = 0, IS_ENARDEN_INVERTED = 0, IS_ENBWREN_INVERTED = 0,
    IS_RSTRAMARSTRAM_INVERTED = 0, IS_RSTRAMB_INVERTED = 0, IS_RSTREGARSTREG_INVERTED = 0, IS_RSTREGB_INVERTED = 0;
  parameter [255:0]
    INITP_00 = 0, INITP_01 = 0, INITP_02 = 0, INITP_03 = 0, INITP_04 = 0, INITP_05 = 0, INITP_06 = 0, INITP_07 = 0,
    INIT_00 = 0, INIT_01 = 0, INIT_02 = 0, INIT_03 = 0, INIT_04 = 0, INIT_05 = 0, INIT_06 = 0, INIT_07 = 0, INIT_08
    = 0, INIT_09 = 0, INIT_0A = 0, INIT_0B = 0, INIT_0C = 0, INIT_0D = 0, INIT_0E = 0, INIT_0F = 0, INIT_10 = 0,
    INIT_11 = 0, INIT_12 = 0, INIT_13 = 0, INIT_14 = 0, INIT_15 = 0, INIT_16 = 0, INIT_17 = 0, INIT_18 = 0, INIT_19
    = 0, INIT_1A = 0, INIT_1B = 0, INIT_1C = 0, INIT_1D = 0, INIT_1E = 0, INIT_1F = 0, INIT_20 = 0, INIT_21 = 0,
    INIT_22 = 0, INIT_23 = 0, INIT_24 = 0, INIT_25 = 0, INIT_26 = 0, INIT_27 = 0, INIT_28 = 0, INIT_29 = 0, INIT_2A
    = 0, INIT_2B = 0, INIT_2C = 0, INIT_2D = 0, INIT_2E = 0, INIT_2F = 0, INIT_30 = 0, INIT_31 = 0, INIT_32 = 0,
    INIT_33 = 0, INIT_34 = 0, INIT_35 = 0, INIT_36 = 0, INIT_37 = 0, INIT_38 = 0, INIT_39 = 0, INIT_3A = 0, INIT_3B
    = 0, INIT_3C = 0, INIT_3D = 0, INIT_3E = 0, INIT_3F = 0;

  function known(input integer width);
    known = width == 36 || width == 18 || width == 9 || width == 4 || width == 2 || width == 1;
  endfunction

  localparam TWO = RAM_MODE == "TDP";
  localparam MODELLED = (TWO || RAM_MODE == "SDP") && DOA_REG == 0 && DOB_REG == 0 && INIT_FILE == "NONE"
    && !{
      IS_CLKARDCLK_INVERTED, IS_CLKBWRCLK_INVERTED, IS_ENARDEN_INVERTED, IS_ENBWREN_INVERTED,
      IS_RSTRAMARSTRAM_INVERTED, IS_RSTRAMB_INVERTED, IS_RSTREGARSTREG_INVERTED, IS_RSTREGB_INVERTED
    }
    && (WRITE_MODE_A == "WRITE_FIRST" || WRITE_MODE_A == "READ_FIRST" || WRITE_MODE_A == "NO_CHANGE")
    && (WRITE_MODE_B == "WRITE_FIRST" || WRITE_MODE_B == "READ_FIRST" || WRITE_MODE_B == "NO_CHANGE")
    && (READ_WIDTH_A == 0 || known(READ_WIDTH_A))
    && (READ_WIDTH_B == 0 || known(READ_WIDTH_B))
    && (WRITE_WIDTH_A == 0 || known(WRITE_WIDTH_A))
    && (WRITE_WIDTH_B == 0 || known(WRITE_WIDTH_B))
    && (TWO ? READ_WIDTH_A < 36 && READ_WIDTH_B < 36 && WRITE_WIDTH_A < 36 && WRITE_WIDTH_B < 36
            : READ_WIDTH_B == 0 && WRITE_WIDTH_A == 0);

  generate
    if (!MODELLED) begin : gen_refused
      RAMB18E1_is_not_modelled_in_this_mode u_refused ();
    end
  endgenerate

  localparam [64*256-1:0] BYTES = {
    INIT_3F, INIT_3E, INIT_3D, INIT_3C, INIT_3B, INIT_3A, INIT_39, INIT_38, INIT_37, INIT_36, INIT_35, INIT_34,
    INIT_33, INIT_32, INIT_31, INIT_30, INIT_2F, INIT_2E, INIT_2D, INIT_2C, INIT_2B, INIT_2A, INIT_29, INIT_28,
    INIT_27, INIT_26, INIT_25, INIT_24, INIT_23, INIT_22, INIT_21, INIT_20, INIT_1F, INIT_1E, INIT_1D, INIT_1C,
    INIT_1B, INIT_1A, INIT_19, INIT_18, INIT_17, INIT_16, INIT_15, INIT_14, INIT_13, INIT_12, INIT_11, INIT_10,
    INIT_0F, INIT_0E, INIT_0D, INIT_0C, INIT_0B, INIT_0A, INIT_09, INIT_08, INIT_07, INIT_06, INIT_05, INIT_04,
    INIT_03, INIT_02, INIT_01, INIT_00
  };
  localparam [8*256-1:0] NINTHS = {
    INITP_07, INITP_06, INITP_05, INITP_04, INITP_03, INITP_02, INITP_01, INITP_00
  };

  // Of each 9 bits the ninth stands elsewhere.
  function [1024*18-1:0] packed_bits(input [64*256-1:0] bytes, input [8*256-1:0] ninths);
    integer at;
    for (at = 0; at < 2048; at = at + 1) packed_bits[9*at+:9] = {ninths[at], bytes[8*at+:8]};
  endfunction

  wire [17:0] in_a = {DIPADIP[1], DIADI[15:8], DIPADIP[0], DIADI[7:0]};
  wire [17:0] in_b = {DIPBDIP[1], DIBDI[15:8], DIPBDIP[0], DIBDI[7:0]};
  wire [35:0] read_a, read_b;
  wire        writes_a = ENARDEN && WRITE_WIDTH_A != 0 && WEA != 2'd0;
  wire        writes_b = ENBWREN && WRITE_WIDTH_B != 0 && WEBWE != 4'd0;

  mm_model_ram18 #(
    .READ_A(READ_WIDTH_A), .READ_B(READ_WIDTH_B), .WRITE_A(WRITE_WIDTH_A), .WRITE_B(WRITE_WIDTH_B),
    .NEW_A(WRITE_MODE_A == "WRITE_FIRST"), .NEW_B(WRITE_MODE_B == "WRITE_FIRST"),
    .OLD_A(WRITE_MODE_A == "READ_FIRST"), .OLD_B(WRITE_MODE_B == "READ_FIRST"), .TABLE(packed_bits(BYTES, NINTHS))
  ) u_ram (
    .clk_a_i(CLKARDCLK), .clk_b_i(CLKBWRCLK), .addr_a_i(ADDRARDADDR), .addr_b_i(ADDRBWRADDR),
    .write_a_i(writes_a ? {2'd0, WEA} : 4'd0), .write_b_i(writes_b ? WEBWE : 4'd0),
    .word_a_i({18'd0, in_a}), .word_b_i(WRITE_WIDTH_B == 36 ? {in_b, in_a} : {18'd0, in_b}),
    .word_a_o(read_a), .word_b_o(read_b)
  );

  // The ninth bits of a value stand above its bytes.
  function [17:0] in_nines(input [17:0] value);
    in_nines = {value[17], value[15:8], value[16], value[7:0]};
  endfunction

  reg [35:0] a_q, b_q;

  always @(posedge CLKARDCLK) begin
    if (ENARDEN && RSTRAMARSTRAM) a_q <= {in_nines(SRVAL_B), in_nines(SRVAL_A)};
    else if (ENARDEN && !(writes_a && WRITE_MODE_A == "NO_CHANGE")) a_q <= read_a;
  end

  always @(posedge CLKBWRCLK) begin
    if (ENBWREN && RSTRAMB) b_q <= {18'd0, in_nines(SRVAL_B)};
    else if (ENBWREN && !(writes_b && WRITE_MODE_B == "NO_CHANGE")) b_q <= read_b;
  end

  assign {DOPADOP[1], DOADO[15:8], DOPADOP[0], DOADO[7:0]} = a_q[17:0];
  assign {DOPBDOP[1], DOBDO[15:8], DOPBDOP[0], DOBDO[7:0]} = TWO ? b_q[17:0] : a_q[35:18];
endmodule
