// SPDX-License-Identifier: Apache-2.0
//
// mm_bus_registers: the registers of registers.rdl behind AXI4-Lite, and a door for frames through them.
//
// Reading changes nothing and waits for nothing. Every output comes from a register. A write of some bytes only, to no
// register, to one that is read only, or of a word of a frame that finds no room, is answered SLVERR and changes
// nothing but the interrupt "refused"; reading no register or one that is write only gives 0 and SLVERR.
//
// An answer that comes back through this door is kept until it is acknowledged; then it is overwritten with zeros.
//
`default_nettype none

module mm_bus_registers #(
  parameter int Bus      = 32,
  parameter int Word     = 32,
  parameter int Bits     = 256,
  parameter int Controls = 0,
  parameter int Lengths  = 0,
  parameter int Numbers  = 1,
  parameter int Clocks   = 1,
  parameter int Timeout  = 1 << 20,
  parameter int BuildId  = 0,
  localparam int Words = (Bits + Bus - 1) / Bus
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  // AXI4-Lite.
  input  wire  [12:0]     aw_addr_i,
  input  wire             aw_valid_i,
  output logic            aw_ready_o,
  input  wire  [31:0]     w_data_i,
  input  wire  [3:0]      w_strb_i,
  input  wire             w_valid_i,
  output logic            w_ready_o,
  output logic [1:0]      b_resp_o,
  output logic            b_valid_o,
  input  wire             b_ready_i,
  input  wire  [12:0]     ar_addr_i,
  input  wire             ar_valid_i,
  output logic            ar_ready_o,
  output logic [31:0]     r_data_o,
  output logic [1:0]      r_resp_o,
  output logic            r_valid_o,
  input  wire             r_ready_i,
  output logic            irq_o,
  // Frames in and answers out.
  output logic            put_valid_o,
  input  wire             put_ready_i,
  output logic [Bus-1:0]  put_data_o,
  output logic            put_last_o,
  input  wire             get_valid_i,
  output logic            get_ready_o,
  input  wire  [Bus-1:0]  get_data_i,
  input  wire             get_last_i,
  // The rest of the shell.
  output logic            rst_no,     // reset of everything but these registers
  output logic            open_o,     // it is high
  input  wire             busy_i,
  input  wire             loaded_i
);

  localparam int Slices      = Bus / 32;
  localparam int AddressBits = Words > 1 ? $clog2(Words) : 1;
  localparam int WordBits    = $clog2(Words + 1);

  // Addresses of words, as in registers.rdl.
  localparam logic [10:0] Id        = 11'h000;
  localparam logic [10:0] Version   = 11'h001;
  localparam logic [10:0] Build     = 11'h002;
  localparam logic [10:0] Features  = 11'h003;
  localparam logic [10:0] Operand   = 11'h004;
  localparam logic [10:0] CoreWord  = 11'h005;
  localparam logic [10:0] Limit     = 11'h006;
  localparam logic [10:0] Control   = 11'h008;
  localparam logic [10:0] Status    = 11'h009;
  localparam logic [10:0] IrqEnable = 11'h00a;
  localparam logic [10:0] IrqStatus = 11'h00b;
  localparam logic [10:0] Answer    = 11'h00c;
  localparam logic [10:0] Length    = 11'h00d;
  localparam logic [10:0] InData    = 11'h010;
  localparam logic [10:0] InLast    = 11'h011;
  localparam logic [10:0] Release   = 11'h012;

  localparam logic [1:0] Okay   = 2'b00;
  localparam logic [1:0] Slverr = 2'b10;

  // --- writing ---------------------------------------------------------------------------------

  logic [12:0] aw_q;
  logic [31:0] w_q;
  logic        aw_full_q, w_full_q, whole_q, write, write_aligned, legal;
  logic [10:0] place;
  logic        ready, done_q, put_now, reset_now, release_now;
  logic [3:0]  resetting_q;
  logic        open_q, alive_q;  // the same twice: one resets, one is looked at
  logic [2:0]  enable_q, raised_q, raise;
  logic        error;

  assign aw_ready_o    = ~aw_full_q;
  assign w_ready_o     = ~w_full_q;
  assign write         = aw_full_q & w_full_q & ~b_valid_o;
  assign place         = aw_q[12:2];
  assign write_aligned = aw_q[1:0] == 2'b00;

  always_comb begin
    legal = 1'b0;
    if (whole_q && write_aligned) begin
      case (place)
        Control, IrqEnable, IrqStatus: legal = 1'b1;
        InData, InLast:                legal = ready;
        Release:                       legal = done_q;
        default:                       legal = 1'b0;
      endcase
    end
  end

  assign put_now     = write & legal & (place == InData | place == InLast);
  assign reset_now   = write & legal & place == Control & w_q[0];
  assign release_now = write & legal & place == Release & w_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_full_q   <= 1'b0;
      w_full_q    <= 1'b0;
      whole_q     <= 1'b0;
      b_valid_o   <= 1'b0;
      b_resp_o    <= Okay;
      enable_q    <= '0;
      raised_q    <= '0;
      irq_o       <= 1'b0;
      resetting_q <= '0;
      open_q      <= 1'b0;
      alive_q     <= 1'b0;
    end else begin
      if (aw_valid_i && aw_ready_o) aw_full_q <= 1'b1;
      if (w_valid_i && w_ready_o) begin
        w_full_q <= 1'b1;
        whole_q  <= w_strb_i == 4'hf;
      end
      if (write) begin
        aw_full_q <= 1'b0;
        w_full_q  <= 1'b0;
        b_valid_o <= 1'b1;
        b_resp_o  <= legal ? Okay : Slverr;
      end else if (b_ready_i) begin
        b_valid_o <= 1'b0;
      end
      if (write && legal && place == IrqEnable) enable_q <= w_q[2:0];
      raised_q <= raise | (write && legal && place == IrqStatus ? raised_q & ~w_q[2:0] : raised_q);
      irq_o    <= |(raised_q & enable_q);
      // A reset takes sixteen cycles.
      resetting_q <= reset_now ? 4'd15 : resetting_q != '0 ? resetting_q - 4'd1 : '0;
      open_q      <= ~reset_now & resetting_q == '0;
      alive_q     <= ~reset_now & resetting_q == '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (aw_valid_i && aw_ready_o) aw_q <= aw_addr_i;
    if (w_valid_i && w_ready_o) w_q <= w_data_i;
  end

  assign open_o = open_q;
  assign rst_no = alive_q;

  // --- the door in -----------------------------------------------------------------------------

  localparam int SliceBits = Slices > 1 ? $clog2(Slices) : 1;

  logic [SliceBits-1:0] slice_q;
  logic                 put_valid_q, put_last_q;
  logic [Bus-1:0]       put_q;

  assign ready       = open_q & ~put_valid_q;
  assign put_valid_o = put_valid_q;
  assign put_data_o  = put_q;
  assign put_last_o  = put_last_q;

  // Where a word takes several writes, those behind the last one are zeros.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      slice_q     <= '0;
      put_valid_q <= 1'b0;
      put_last_q  <= 1'b0;
      put_q       <= '0;
    end else if (!open_q || (put_valid_q && put_ready_i)) begin
      slice_q     <= '0;
      put_valid_q <= 1'b0;
      put_last_q  <= 1'b0;
      put_q       <= '0;
    end else if (put_now) begin
      put_q       <= put_q | (Bus'(w_q) << (32 * 32'(slice_q)));
      put_last_q  <= place == InLast;
      put_valid_q <= place == InLast | slice_q == SliceBits'(Slices - 1);
      slice_q     <= slice_q + SliceBits'(1);
    end
  end

  // --- the door out ----------------------------------------------------------------------------

  logic [31:0]            answer_q;
  logic [WordBits-1:0]    count_q;      // words of the result; while they come and are overwritten, the place
  logic                   begun_q, wiping_q, take, window_write;
  logic [AddressBits-1:0] window_address, read_address;
  logic [Bus-1:0]         window_word, window_in;

  assign get_ready_o = ~done_q & ~wiping_q;
  assign take        = get_valid_i & get_ready_o;
  assign error       = answer_q[7:0] != 8'd0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      answer_q <= '0;
      count_q  <= '0;
      begun_q  <= 1'b0;
      done_q   <= 1'b0;
      wiping_q <= 1'b1;
    end else begin
      if (take) begin
        begun_q <= ~get_last_i;
        done_q  <= get_last_i;
        if (!begun_q) begin
          answer_q <= get_data_i[31:0];
          count_q  <= '0;
        end else begin
          count_q <= count_q + WordBits'(1);
        end
      end
      if (!open_q || release_now) begin
        begun_q  <= 1'b0;
        done_q   <= 1'b0;
        answer_q <= '0;
        count_q  <= '0;
        wiping_q <= 1'b1;
      end else if (wiping_q) begin
        count_q <= count_q + WordBits'(1);
        if (count_q == WordBits'(Words - 1)) begin
          count_q  <= '0;
          wiping_q <= 1'b0;
        end
      end
    end
  end

  assign window_write   = wiping_q | (take & begun_q);
  assign window_in      = wiping_q ? Bus'(0) : get_data_i;
  assign window_address = done_q ? read_address : count_q[AddressBits-1:0];

  mm_bus_memory #(.Bus(Bus), .Depth(Words)) u_window (
    .clk_i, .write_i(window_write), .address_i(window_address), .word_i(window_in), .word_o(window_word)
  );

  // --- reading ---------------------------------------------------------------------------------

  logic [12:0] ar_q;
  logic        ar_full_q, known, upper, in_window, fits, read_aligned;
  logic [10:0] read_place;
  logic [31:0] value;
  logic [31:0] of_window;

  assign ar_ready_o = ~ar_full_q;

  if (Slices > 1) begin : gen_slices
    assign read_address = AddressBits'(ar_q[11:2] >> $clog2(Slices));
    assign of_window    = 32'(window_word >> (32 * 32'(ar_q[2+:SliceBits])));
    assign fits       = 32'(ar_q[11:2] >> $clog2(Slices)) < Words;
  end else begin : gen_slice
    assign read_address = AddressBits'(ar_q[11:2]);
    assign of_window    = window_word;
    assign fits       = 32'(ar_q[11:2]) < Words;
  end

  assign upper        = ar_q[12];
  assign in_window    = upper & fits;
  assign read_aligned = ar_q[1:0] == 2'b00;
  assign read_place   = ar_q[12:2];

  always_comb begin
    known = read_aligned;
    value = '0;
    if (upper) begin
      known = known & in_window;
      value = done_q ? of_window : 32'd0;
    end else begin
      case (read_place)
        Id:        value = 32'h4d4d554c;
        Version:   value = 32'h00010000;
        Build:     value = 32'(BuildId);
        Features:  value = {17'd0, 1'(Numbers), 1'(Clocks - 1), 1'(Lengths), 4'(Controls), 8'(Slices)};
        Operand:   value = 32'(Bits);
        CoreWord:  value = 32'(Word);
        Limit:     value = 32'(Timeout);
        Control:   value = {31'd0, ~open_q};
        Status:    value = {28'd0, loaded_i, busy_i, done_q, ready};
        IrqEnable: value = {29'd0, enable_q};
        IrqStatus: value = {29'd0, raised_q};
        Answer:    value = answer_q;
        Length:    value = done_q ? 32'(count_q) * 32'(Slices) : 32'd0;
        default:   known = 1'b0;
      endcase
    end
    if (!known) value = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar_full_q <= 1'b0;
      r_valid_o <= 1'b0;
      r_data_o  <= '0;
      r_resp_o  <= Okay;
    end else begin
      if (ar_valid_i && ar_ready_o) ar_full_q <= 1'b1;
      if (ar_full_q && !r_valid_o) begin
        ar_full_q <= 1'b0;
        r_valid_o <= 1'b1;
        r_data_o  <= value;
        r_resp_o  <= known ? Okay : Slverr;
      end else if (r_ready_i) begin
        r_valid_o <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) if (ar_valid_i && ar_ready_o) ar_q <= ar_addr_i;

  // Interrupts: an answer is there, it holds an error, a write was refused.
  logic done_q2;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) done_q2 <= 1'b0;
    else         done_q2 <= done_q;
  end

  assign raise = {write & ~legal, done_q & ~done_q2 & error, done_q & ~done_q2};

endmodule

`default_nettype wire
