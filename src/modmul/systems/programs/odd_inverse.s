; SPDX-License-Identifier: Apache-2.0
; 1 / x mod M for any odd M, prime or not; 0 if there is none. The time does not depend on x.
; A binary Euclidean algorithm with as many steps for all x, as mpn_sec_invert of GMP: a = u x and b = v x mod M, b is
; odd. A step makes a even, by b if it is odd, and halves it; the shorter of the two is b. Both are not longer than M,
; and each step takes a bit off one of them. So after 2 n steps a is 0, b is gcd(x, M), and v the inverse if that is 1.
;     modmul run odd_inverse --core rrm -m 3*5*(2^61-1) x=7
.number  m zero=0 o=1
.operand x -
.modulus m
.count   steps=2*n

    move  a, x
    move  u, o
    move  b, m
    move  v, zero
    half  k, m
    plus  k, k, o            ; 1 / 2 mod M
step:
    half  -, a, ^            ; whether a is odd
    move  w, zero^v
    minus c, a, 0^b, ^       ; a - b if it is; and whether b is larger
    minus d, b, a
    sub   p, u, w
    sub   q, w, u
    move  b, b^a
    move  v, v^u
    half  a, c^d
    half  u, p^q, ^
    plus  u, u, 0^k          ; u / 2 mod M
    repeat steps, step
    equal b, o
    move  v, zero^v
    out   v
