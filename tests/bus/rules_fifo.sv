// SPDX-License-Identifier: Apache-2.0
//
// What the queue between two clocks promises whatever the clocks do; these lines stand at the end of mm_bus_fifo. In
// every step each clock may have an edge or none. Places are counted modulo 16, and a step sees the pointers of the
// other side as they were at any of its own edges:
//
//   read <= seen_write2 <= seen_write <= write <= seen_read2 + 8,  seen_read2 <= seen_read <= read
//
// So what is written finds room, and what is read was written; that nothing changes on the way is shown for one word,
// at any place and in any round. Of a Gray code one bit at most changes between two looks that miss no step.
//
  function automatic [3:0] place(input [3:0] gray);
    place = {gray[3], ^gray[3:2], ^gray[3:1], ^gray[3:0]};
  endfunction

  logic begun_q = 1'b0;
  always @($global_clock) begun_q <= 1'b1;
  always @(*) assume (in_rst_ni == begun_q && out_rst_ni == begun_q);

  logic [3:0] used;
  assign used = write_q - read_q;

  always @(*) if (begun_q) begin
    assert (place(write_gray_q) == write_q && place(read_gray_q) == read_q);
    assert (used <= 8);
    assert (4'(write_q - place(seen_write_q)) <= 4'(write_q - place(seen_write_q2)));
    assert (4'(write_q - place(seen_write_q2)) <= used);
    assert (4'(read_q - place(seen_read_q)) <= 4'(read_q - place(seen_read_q2)));
    assert (4'(write_q - place(seen_read_q2)) <= 8);
    assert (4'(write_q - place(seen_read_q2)) >= used);
  end

  // One bit changes.
  logic [3:0] write_before_q = '0, read_before_q = '0;
  always @($global_clock) begin
    write_before_q <= write_gray_q;
    read_before_q  <= read_gray_q;
  end
  logic [3:0] write_change, read_change;
  assign write_change = write_gray_q ^ write_before_q;
  assign read_change  = read_gray_q ^ read_before_q;
  always @(*) if (begun_q) begin
    assert ((write_change & 4'(write_change - 1)) == 0);
    assert ((read_change & 4'(read_change - 1)) == 0);
  end

  // One word: what was written last to a place lies there until it is read, and stays at the port until it is taken.
  logic [3:0]      mark_q;
  logic [Bits-1:0] word_q;
  always @(posedge in_clk_i) begin
    mark_q <= mark_q;
    if (put && write_q == mark_q) word_q <= in_data_i;
  end

  logic            held_q = 1'b0;
  logic [Bits-1:0] held_word_q;
  always @(posedge out_clk_i) begin
    held_q      <= out_valid_o & ~out_ready_i;
    held_word_q <= out_data_o;
  end

  logic [3:0] shown_at;
  assign shown_at = read_q - 4'd1;

  always @(*) if (begun_q) begin
    if (4'(mark_q - read_q) < used) assert (words[mark_q[2:0]] == word_q);
    if (out_valid_o && shown_at == mark_q && 4'(write_q - 4'd1 - mark_q) < 9) assert (out_data_o == word_q);
    if (held_q) assert (out_valid_o && out_data_o == held_word_q);
  end
