// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_legal: names the illegal parameters of a scalable multiplier, and so stops elaboration. It has no ports
// and no hardware. The top modules instantiate their core only for legal values of Width, Word and Pes, so that nothing
// else fails before this module has named them.
//
`default_nettype none

module mm_scalable_legal #(
  parameter int Width   = 256,
  parameter int Word    = 16,
  parameter int Pes     = 16,
  parameter int SignedM = 1,
  parameter int Reduce  = 1
) ();

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (Word != 4 && Word != 8 && Word != 16 && Word != 32) begin : gen_illegal_word
    illegal_parameter_Word_must_be_4_8_16_or_32 u_illegal ();
  end
  if (Pes < 1 || Pes > 64) begin : gen_illegal_pes
    illegal_parameter_Pes_must_be_1_to_64 u_illegal ();
  end
  if (SignedM != 0 && SignedM != 1) begin : gen_illegal_signed
    illegal_parameter_SignedM_must_be_0_or_1 u_illegal ();
  end
  if (Reduce != 0 && Reduce != 1) begin : gen_illegal_reduce
    illegal_parameter_Reduce_must_be_0_or_1 u_illegal ();
  end

endmodule

`default_nettype wire
