; SPDX-License-Identifier: Apache-2.0
; Whether the numbers of an RSA key belong together.
; It gives 1 if p q = N and e d = 1 + k (p - 1), otherwise 0.
; p is the modulus, the larger prime; d = 1/e mod p-1, as for the Chinese remainder theorem, and k = (e d - 1) / (p - 1).
; All of it is plain sums, which take the same time for all keys; the core has nothing to do.
;     modmul run key_check --core rrm -m 2^31-1 N=(2^31-1)*(2^13-1) q=2^13-1 e=17 d=1515870809 k=12
.long    N s t
.number  p=m q e d k zero=0 o=1
.operand N -
.count   digits=bits/2

    minus s, zero, zero
    rewind q
first:
    bits  2
    acc   s, s, p
    repeat digits, first
    minus -, s, N, =
    move  good, zero^o

    minus s, zero, zero
    rewind e
second:
    bits  2
    acc   s, s, d
    repeat digits, second
    minus h, p, o
    move  t, s
    minus s, s, s
    rewind k
third:
    bits  2
    acc   s, s, h
    repeat digits, third
    plus  s, s, o
    minus -, s, t, =
    move  good, zero^good
    out   good
