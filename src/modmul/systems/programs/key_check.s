; SPDX-License-Identifier: Apache-2.0
; Whether the numbers of an RSA key belong together, those of both primes in one run.
; It gives 1 if p q = N, e dp = 1 + kp (p - 1) and e dq = 1 + kq (q - 1), otherwise 0.
; p is the modulus, the larger prime. dp = 1/e mod p-1 and dq = 1/e mod q-1, as for the Chinese remainder theorem, and
; kp = (e dp - 1) / (p - 1), kq = (e dq - 1) / (q - 1).
; All of it is plain sums, which take the same time for all keys; the core has nothing to do.
;     modmul run key_check --core rrm -m 2^31-1 N=(2^31-1)*(2^13-1) q=2^13-1 e=17 dp=1515870809 kp=12 dq=6263 kq=13
.long    N s t u
.number  p=m q e dp kp dq kq zero=0 o=1
.operand N -
.count   digits=bits/2

    minus s, zero, zero
    rewind q
product:
    bits  2
    acc   s, s, p
    repeat digits, product
    minus -, s, N, =
    move  good, zero^o

    minus s, zero, zero
    minus t, zero, zero
    rewind e
powers:
    bits  2
    acc   s, s, dp
    acc   t, t, dq
    repeat digits, powers

    minus u, zero, zero
    rewind kp
first:
    bits  2
    acc   u, u, p
    repeat digits, first
    plus  u, u, o
    plus  s, s, kp
    minus -, s, u, =         ; e dp + kp = kp p + 1
    move  good, zero^good

    minus u, zero, zero
    rewind kq
second:
    bits  2
    acc   u, u, q
    repeat digits, second
    plus  u, u, o
    plus  t, t, kq
    minus -, t, u, =
    move  good, zero^good
    out   good
