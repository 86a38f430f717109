; SPDX-License-Identifier: Apache-2.0
; x y a b c mod M: a product of many factors.
; a, b and c come with the context in the domain of the core, a R mod M, so that a product with one of them needs no
; conversion: x * (a R) / R = x a.
;     modmul run product_chain --core rrm -m p256 x=2 y=3 a=5 b=7 c=11
.number  ~a ~b ~c r2
.operand x y

    mul   -, x, a
    mul   -, f, b
    mul   -, f, c
    mul   -, f, r2           ; into the domain, as y is not in it
    mul   -, f, y
    out   f
