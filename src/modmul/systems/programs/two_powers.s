; SPDX-License-Identifier: Apache-2.0
; g^u h^v mod M in the squares of one power (Straus; "Shamir's trick").
; The check of a DSA signature takes it, and a commitment. Each round takes a bit of u and a bit of v, which lie side by
; side in e, the sum of (2 u_i + v_i) 4^i. h comes with the context.
;     modmul run two_powers --core rrm -m p256 g=3 h=5 e=0x1b         ; u = 3 and v = 5: e is 01 10 11
.table   t 4
.number  t0=one t1=~h r2     ; R mod M, h R mod M, R^2 mod M
.operand g e

    mul   t2, g, r2          ; g R: enter the domain
    mul   t3, f, t1          ; g h R
    bits  first              ; the first digit: the top bits of u and v
    scan  s
    mul   -, s, t0           ; s itself, into f
    jump  test

round:
    bits  2
    scan  s
    mul   -, f, f
    mul   -, f, s
test:
    loop  round
    mul   -, f, 1            ; leave the domain
    out   f
