; SPDX-License-Identifier: Apache-2.0
; 1 / x mod M for any odd M, prime or not; 0 if there is none. The time does not depend on x.
; By divsteps: D. J. Bernstein, B.-Y. Yang, Fast constant-time gcd computation and modular inversion, TCHES 2019(3),
; section 8. odd_inverse takes half the cycles (docs/engine.md).
; Beside f = M and g = x there are v and r with f = v x and g = r x mod M, and k = delta + 1/2. A step is
;     k > 0 and g odd:  k, f, g, v, r = 2 - k, g, (g - f) / 2, r, (r - v) / 2
;     otherwise, g odd: k, f, g, v, r = 1 + k, f, (g + f) / 2, v, (r + v) / 2
;     otherwise:        k, f, g, v, r = 1 + k, f,  g      / 2, v,  r      / 2
; At the end g is 0, and f is gcd(x, M) or its negative. From delta = 1 on, as in the paper, that takes
; (49 n + 57) / 17 steps, with fewer than 46 bits (49 n + 80) / 17, by its theorem 11.2: 741 at 256 bits. From
; delta = 1/2 on, as here, (9437 n + 1) / 4096, rounded up, are enough: 590. D. J. Bernstein and J. Harrison have proven
; it in 2023, in HOL Light (Divstep/divstep_bounds.ml there).
;     modmul run safegcd --core rrm -m 3*5*(2^61-1) x=7
.long    ff gg p q
.number  m zero=0 o=1 two=2
.operand x -
.modulus m
.count   steps=(9437*n+1)/4096

    move  ff, m              ; f, modulo B^2, B = 2^bits
    move  gg, x
    plus  gg.1, gg.1, two    ; g + 2 B: half keeps its sign
    move  v, zero
    move  r, o
    half  h, m
    plus  h, h, o            ; 1 / 2 mod M
    minus ones, zero, o
    half  c, ones            ; B / 2 - 1
    plus  k, c, o            ; k + c
step:
    half  -, gg.0, ^         ; whether g is odd
    plus  p, gg, 0^ff
    move  w, zero^v
    minus t, ones, k         ; 1 - k + c
    minus -, c, 0^k, ^       ; whether it is, and k > 0
    minus q, gg, ff
    move  ff, ff^gg
    minus ff.1, ff.1, 0^two
    half  gg, p^q
    plus  gg.1, gg.1, o
    move  k, k^t
    plus  k, k, o
    add   y, r, w
    sub   z, r, v
    move  v, v^r
    half  r, y^z, ^
    plus  r, r, 0^h          ; r / 2 mod M
    repeat steps, step
    sub   y, zero, v
    minus -, ff, o, =
    move  z, zero^v          ; f = 1
    plus  -, ff, o, =
    move  z, z^y             ; f = -1
    out   z
