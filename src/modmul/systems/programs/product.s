; SPDX-License-Identifier: Apache-2.0
; x y itself, not its remainder: twice as long as the modulus.
; It takes two bits of x in a pass over the words of the product. The modulus only says how long numbers are, and the
; core has nothing to do.
;     modmul run product --core rrm -m p256 x=M-1 y=M-2
.long    s
.number  zero=0
.operand x y
.count   digits=bits/2

    minus s, zero, zero
    rewind x
digit:
    bits  2
    acc   s, s, y            ; 4 s + digit y
    repeat digits, digit
    out   s
