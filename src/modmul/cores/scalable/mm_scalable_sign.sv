// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_sign: the bits above the top word of Z, which is kept as sum and carry of N bits (Pinckney et al., the
// sign extension of Figs. 4 and 6).
//
// Z = ZS + ZC - k * 2^N, so the bits above are those of -k. For -2^(N-2) <= Z < 2^(N-2), k follows from
// the two top bits of both: with t = ZS[N-1:N-2] + ZC[N-1:N-2], ZS + ZC lies in [t, t+2) * 2^(N-2), and
// in [4k-1, 4k+1) * 2^(N-2); so t = 0 gives k = 0, 2 to 4 give 1, 6 gives 2, and no other t occurs.
//    any_o   k >= 1: all ones above the sum    all_o   k = 2: all ones above the carry as well
//
`default_nettype none

module mm_scalable_sign (
  input  wire  [1:0] zs_i,
  input  wire  [1:0] zc_i,
  output logic       any_o,
  output logic       all_o
);

  assign any_o = |{zs_i, zc_i};
  assign all_o = &{zs_i, zc_i};

endmodule

`default_nettype wire
