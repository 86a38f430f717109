// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_memory.ecp5.sv: mm_engine_memory for ECP5, in DP16KD with their output register, which synthesis leaves
// unused: a word then takes 5.8 ns to come out. A block has as many bits of a word as it has room for: 18 of 1,024
// words, 9 of 2,048, 4, 2 or 1 of 4,096, 8,192 or 16,384. Port A writes, port B reads.
//
`default_nettype none

module mm_engine_memory #(
  parameter int Word     = 16,
  parameter int AddrBits = 9
) (
  input  wire                 clk_i,
  input  wire                 write_i,
  input  wire  [AddrBits-1:0] write_addr_i,
  input  wire  [Word-1:0]     word_i,
  input  wire                 read_i,
  input  wire  [AddrBits-1:0] read_addr_i,
  output logic [Word-1:0]     word_o
);

  localparam int Part   = AddrBits <= 10 ? 18 : AddrBits == 11 ? 9 : AddrBits == 12 ? 4 : AddrBits == 13 ? 2 : 1;
  localparam int Parts  = (Word + Part - 1) / Part;
  localparam int Shift  = AddrBits <= 10 ? 4 : AddrBits <= 14 ? 14 - AddrBits : 0;
  localparam int Padded = Parts * Part;

  if (AddrBits > 14) begin : gen_illegal_depth
    illegal_parameter_AddrBits_must_be_at_most_14 u_illegal ();
  end

  logic [13:0]       a_addr, b_addr, a_place, b_place;
  logic [Padded-1:0] in, out;
  logic              unused_out;

  assign in         = Padded'(word_i);
  assign word_o     = out[Word-1:0];
  assign unused_out = ^out;
  assign a_place    = 14'(write_addr_i);
  assign b_place    = 14'(read_addr_i);

  // Of 18 bits both bytes are written: the lowest bits of the address say so.
  assign a_addr = Part == 18 ? (a_place << Shift) | 14'd3 : a_place << Shift;
  assign b_addr = b_place << Shift;

  for (genvar part = 0; part < Parts; part++) begin : gen_part
    logic [17:0] a, b;

    assign a                   = 18'(in[part*Part +: Part]);
    assign out[part*Part +: Part] = b[Part-1:0];

    DP16KD #(
      .DATA_WIDTH_A(Part), .DATA_WIDTH_B(Part), .REGMODE_A("NOREG"), .REGMODE_B("OUTREG"),
      .WRITEMODE_A("NORMAL"), .WRITEMODE_B("NORMAL"), .RESETMODE("SYNC"), .GSR("AUTO"),
      .CSDECODE_A("0b000"), .CSDECODE_B("0b000"), .CLKAMUX("CLKA"), .CLKBMUX("CLKB")
    ) u_block (
      .CLKA(clk_i), .WEA(write_i), .CEA(1'b1), .OCEA(1'b1), .RSTA(1'b0), .CSA0(1'b0), .CSA1(1'b0), .CSA2(1'b0),
      .ADA0(a_addr[0]), .ADA1(a_addr[1]), .ADA2(a_addr[2]), .ADA3(a_addr[3]), .ADA4(a_addr[4]),
      .ADA5(a_addr[5]), .ADA6(a_addr[6]), .ADA7(a_addr[7]), .ADA8(a_addr[8]), .ADA9(a_addr[9]),
      .ADA10(a_addr[10]), .ADA11(a_addr[11]), .ADA12(a_addr[12]), .ADA13(a_addr[13]),
      .DIA0(a[0]), .DIA1(a[1]), .DIA2(a[2]), .DIA3(a[3]), .DIA4(a[4]), .DIA5(a[5]),
      .DIA6(a[6]), .DIA7(a[7]), .DIA8(a[8]), .DIA9(a[9]), .DIA10(a[10]), .DIA11(a[11]),
      .DIA12(a[12]), .DIA13(a[13]), .DIA14(a[14]), .DIA15(a[15]), .DIA16(a[16]), .DIA17(a[17]),
      .CLKB(clk_i), .WEB(1'b0), .CEB(read_i), .OCEB(read_i), .RSTB(1'b0), .CSB0(1'b0), .CSB1(1'b0), .CSB2(1'b0),
      .ADB0(b_addr[0]), .ADB1(b_addr[1]), .ADB2(b_addr[2]), .ADB3(b_addr[3]), .ADB4(b_addr[4]),
      .ADB5(b_addr[5]), .ADB6(b_addr[6]), .ADB7(b_addr[7]), .ADB8(b_addr[8]), .ADB9(b_addr[9]),
      .ADB10(b_addr[10]), .ADB11(b_addr[11]), .ADB12(b_addr[12]), .ADB13(b_addr[13]),
      .DIB0(1'b0), .DIB1(1'b0), .DIB2(1'b0), .DIB3(1'b0), .DIB4(1'b0), .DIB5(1'b0),
      .DIB6(1'b0), .DIB7(1'b0), .DIB8(1'b0), .DIB9(1'b0), .DIB10(1'b0), .DIB11(1'b0),
      .DIB12(1'b0), .DIB13(1'b0), .DIB14(1'b0), .DIB15(1'b0), .DIB16(1'b0), .DIB17(1'b0),
      .DOB0(b[0]), .DOB1(b[1]), .DOB2(b[2]), .DOB3(b[3]), .DOB4(b[4]), .DOB5(b[5]),
      .DOB6(b[6]), .DOB7(b[7]), .DOB8(b[8]), .DOB9(b[9]), .DOB10(b[10]), .DOB11(b[11]),
      .DOB12(b[12]), .DOB13(b[13]), .DOB14(b[14]), .DOB15(b[15]), .DOB16(b[16]), .DOB17(b[17])
    );
  end

endmodule

`default_nettype wire
