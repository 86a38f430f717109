// SPDX-License-Identifier: Apache-2.0
//
// mm_bus_uart: the registers of mm_bus at the end of a serial line, 8 data bits, no parity, one stop bit. Commands and
// answers, numbers with their low byte first:
//
//   read    0x52, address (2 bytes)                   answer: response, value (4 bytes)
//   write   0x57, address (2 bytes), value (4 bytes)  answer: response
//
// The response is that of AXI, 0 or 2; it is 2 for an address beyond the registers of mm_bus, too. Any other byte in
// place of a command is ignored; so is the rest of a command after Silence bits without a byte. A byte whose stop bit
// is missing ends the command.
//
`default_nettype none

module mm_bus_uart #(
  parameter int Divisor = 217,   // clock cycles of a bit, at least 4
  parameter int Silence = 4096   // bits
) (
  input  wire         clk_i,
  input  wire         rst_ni,
  input  wire         rx_i,
  output logic        tx_o,
  // AXI4-Lite, to mm_bus.
  output logic [12:0] aw_addr_o,
  output logic        aw_valid_o,
  input  wire         aw_ready_i,
  output logic [31:0] w_data_o,
  output logic        w_valid_o,
  input  wire         w_ready_i,
  input  wire  [1:0]  b_resp_i,
  input  wire         b_valid_i,
  output logic        b_ready_o,
  output logic [12:0] ar_addr_o,
  output logic        ar_valid_o,
  input  wire         ar_ready_i,
  input  wire  [31:0] r_data_i,
  input  wire  [1:0]  r_resp_i,
  input  wire         r_valid_i,
  output logic        r_ready_o
);

  if (Divisor < 4) begin : gen_divisor
    illegal_parameter_Divisor_must_be_at_least_4 u_illegal ();
  end

  localparam int TimeBits    = $clog2(Divisor);
  localparam int SilenceBits = $clog2(Divisor * Silence + 1);
  localparam logic [7:0] Read   = 8'h52;
  localparam logic [7:0] Write  = 8'h57;
  localparam logic [1:0] Slverr = 2'b10;

  // --- bytes in: each bit is sampled in its middle ---------------------------------------------

  logic                rx, in_busy_q, in_got_q, in_bad_q;
  logic [TimeBits-1:0] in_time_q;
  logic [3:0]          in_bit_q;
  logic [7:0]          in_byte_q;

  mm_bus_sync u_rx (.clk_i, .rst_ni, .d_i(~rx_i), .q_o(rx));  // inverted: in reset the line is silent

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_busy_q <= 1'b0;
      in_got_q  <= 1'b0;
      in_bad_q  <= 1'b0;
      in_time_q <= '0;
      in_bit_q  <= '0;
      in_byte_q <= '0;
    end else begin
      in_got_q <= 1'b0;
      in_bad_q <= 1'b0;
      if (!in_busy_q) begin
        in_busy_q <= rx;
        in_bit_q  <= '0;
        in_time_q <= TimeBits'(Divisor / 2);
      end else if (in_time_q != '0) begin
        in_time_q <= in_time_q - TimeBits'(1);
      end else begin
        in_time_q <= TimeBits'(Divisor - 1);
        in_bit_q  <= in_bit_q + 4'd1;
        if (in_bit_q == 4'd0) begin
          in_busy_q <= rx;  // a start bit that was none
        end else if (in_bit_q <= 4'd8) begin
          in_byte_q <= {~rx, in_byte_q[7:1]};
        end else begin
          in_busy_q <= 1'b0;
          in_got_q  <= ~rx;
          in_bad_q  <= rx;
        end
      end
    end
  end

  // --- commands --------------------------------------------------------------------------------

  typedef enum logic [2:0] {COMMAND, BODY, ASK, WAIT, ANSWER} state_e;

  state_e                 state_q;
  logic                   write_q;
  logic [2:0]             count_q;   // bytes to come, or to go
  logic [47:0]            body_q;    // address and value
  logic [39:0]            answer_q;
  logic [SilenceBits-1:0] quiet_q;
  logic                   out_ready, late, beyond;

  assign late           = quiet_q == SilenceBits'(Divisor * Silence);
  assign aw_addr_o      = body_q[12:0];
  assign ar_addr_o      = body_q[44:32];
  assign w_data_o       = body_q[47:16];
  assign b_ready_o      = state_q == WAIT;
  assign r_ready_o      = state_q == WAIT;
  assign beyond         = (write_q ? body_q[15:13] : body_q[47:45]) != 3'd0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= COMMAND;
      write_q    <= 1'b0;
      count_q    <= '0;
      body_q     <= '0;
      answer_q   <= '0;
      quiet_q    <= '0;
      aw_valid_o <= 1'b0;
      w_valid_o  <= 1'b0;
      ar_valid_o <= 1'b0;
    end else begin
      quiet_q <= state_q != BODY || in_busy_q ? '0 : quiet_q + SilenceBits'(1);
      if (aw_ready_i) aw_valid_o <= 1'b0;
      if (w_ready_i) w_valid_o <= 1'b0;
      if (ar_ready_i) ar_valid_o <= 1'b0;
      case (state_q)
        COMMAND: begin
          write_q <= in_byte_q == Write;
          count_q <= in_byte_q == Write ? 3'd6 : 3'd2;
          if (in_got_q && (in_byte_q == Write || in_byte_q == Read)) state_q <= BODY;
        end
        BODY: begin
          if (in_got_q) begin
            body_q  <= {in_byte_q, body_q[47:8]};
            count_q <= count_q - 3'd1;
            if (count_q == 3'd1) state_q <= ASK;
          end else if (late || in_bad_q) begin
            state_q <= COMMAND;
          end
        end
        ASK: begin
          count_q    <= write_q ? 3'd1 : 3'd5;
          answer_q   <= {38'd0, Slverr};
          aw_valid_o <= write_q & ~beyond;
          w_valid_o  <= write_q & ~beyond;
          ar_valid_o <= ~write_q & ~beyond;
          state_q    <= beyond ? ANSWER : WAIT;
          if (beyond) body_q <= '0;
        end
        WAIT: begin
          if (b_valid_i || r_valid_i) begin
            answer_q <= write_q ? {32'd0, 6'd0, b_resp_i} : {r_data_i, 6'd0, r_resp_i};
            body_q   <= '0;
            state_q  <= ANSWER;
          end
        end
        default: if (out_ready) begin
          answer_q <= answer_q >> 8;
          count_q  <= count_q - 3'd1;
          if (count_q == 3'd0) state_q <= COMMAND;
        end
      endcase
    end
  end

  // --- bytes out -------------------------------------------------------------------------------

  logic [TimeBits-1:0] out_time_q;
  logic [9:0]          out_bits_q;  // stop bit, data, start bit
  logic [3:0]          out_left_q;

  assign out_ready = out_left_q == 4'd0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_time_q <= '0;
      out_bits_q <= '1;
      out_left_q <= '0;
      tx_o       <= 1'b1;
    end else begin
      tx_o <= out_ready | out_bits_q[0];
      if (out_ready) begin
        out_time_q <= TimeBits'(Divisor - 1);
        if (state_q == ANSWER && count_q != 3'd0) begin
          out_bits_q <= {1'b1, answer_q[7:0], 1'b0};
          out_left_q <= 4'd10;
        end
      end else if (out_time_q != '0) begin
        out_time_q <= out_time_q - TimeBits'(1);
      end else begin
        out_time_q <= TimeBits'(Divisor - 1);
        out_bits_q <= out_bits_q >> 1;
        out_left_q <= out_left_q - 4'd1;
      end
    end
  end

endmodule

`default_nettype wire
