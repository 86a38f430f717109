; SPDX-License-Identifier: Apache-2.0
; u G + v P on y^2 + x y = x^3 + a x^2 + b over GF(2^m): two ladders of Lopez and Dahab (1999) side by side, and a sum
; in their coordinates X / Z, Y / Z^2. The check of a signature takes it. p is P, x + 2^N y with N the bits of a
; number in the engine; G comes with the context. k is two bits, the last ones of u and v, and then from the top, for
; both scalars in turn, whether a bit is not the one before it, as modmul.moduli.two_points.steps writes them.
;     modmul run two_binary --core fips -m x^5+x^2+1 p=10+18*2^8 k=0x1da --length 12 a=1 b=1 root=1 inverse=30 gx=10 \
;         gy=18
; modmul.use.ecc and modmul ecc run it with curves by name.
; The time follows from the length of k alone. Nothing is blinded. Nothing leaves but a point of the curve that has been
; made of a point of the curve.
.number  one r2 m zero=0 nothing=0
.number  a=~a b=~b c=~root   ; root^2 = b
.number  gx=~gx gy=~gy
.operand p k
.long    p nothing
.modulus m

    mul   x, p.0, r2
    mul   y, p.1, r2
; Is P on the curve? y (y + x) = x^2 (x + a) + b
    mul   xx, x, x
    add   u, x, y
    add   v, x, a
    mul   w, y, u
    mul   v, xx, v
    add   v, v, b
    equal v, w
    move  right, zero^one

;; the ladders
    move  gdx, one           ; 0 G
    move  gdz, zero
    move  gsx, gx            ; G
    move  gsz, one
    move  dx, one            ; 0 P
    move  dz, zero
    move  sx, x              ; P
    move  sz, one
    bits  first
    move  odd, zero!one      ; the last bit of v
    move  other, zero?one    ; is that of u another one?
    jump  test
round:
    bits  1                  ; of u
    mul   gu, gdx!gsx, gdx!gsx
    mul   gv, gdz!gsz, gdz!gsz
    bits  1                  ; of v
    mul   u, dx!sx, dx!sx
    mul   v, dz!sz, dz!sz
    mul   gg, gdx, gsz
    mul   gh, gsx, gdz
    mul   g, dx, sz
    mul   h, sx, dz
    mul   gw, c, gv
    mul   w, c, v
    mul   gdz, gu, gv        ; X^2 Z^2
    mul   dz, u, v
    add   ge, gg, gh
    add   e, g, h
    add   gu, gu, gw
    add   u, u, w
    mul   gsz, ge, ge        ; (X1 Z2 + X2 Z1)^2
    mul   sz, e, e
    mul   gdx, gu, gu        ; X^4 + b Z^4
    mul   dx, u, u
    mul   gg, gg, gh
    mul   g, g, h
    mul   gw, gx, gsz
    mul   w, x, sz
    add   gsx, gw, gg
    add   sx, w, g
test:
    loop  round

;; u G
    equal other, odd         ; u is even
    move  x1, gsx^gdx
    move  z1, gsz^gdz
    move  x2, gdx^gsx
    move  z2, gdz^gsz
    mul   w, gx, gx
    add   e, w, gy
    mul   u, gx, z1
    mul   v, gx, z2
    mul   w, z1, z2
    mul   h, x1, v           ; X = x X1 Z2
    add   u, x1, u
    add   v, x2, v
    mul   t, gx, w           ; Z = x Z1 Z2
    mul   w, w, e
    mul   u, u, v
    add   u, u, w
    mul   v, gx, t
    add   v, v, h
    mul   u, u, v
    mul   v, t, t
    mul   v, v, gy
    add   g, u, v            ; Y
    add   u, gx, gy
    equal t, zero            ; u = -1, or 2 G = 0: -G
    move  x3, h^gx
    move  y3, g^u
    move  z3, t^one
    equal z1, zero           ; u = 0
    move  z3, z3^zero

;; v P
    equal odd, one
    move  x1, dx^sx
    move  z1, dz^sz
    move  x2, sx^dx
    move  z2, sz^dz
    add   e, xx, y
    mul   u, x, z1
    mul   v, x, z2
    mul   w, z1, z2
    mul   h, x1, v
    add   u, x1, u
    add   v, x2, v
    mul   t, x, w
    mul   w, w, e
    mul   u, u, v
    add   u, u, w
    mul   v, x, t
    add   v, v, h
    mul   u, u, v
    mul   v, t, t
    mul   v, v, y
    add   g, u, v
    add   u, x, y
    equal t, zero
    move  x4, h^x
    move  y4, g^u
    move  z4, t^one
    equal z1, zero
    move  z4, z4^zero

;; their sum
    mul   u, x3, z4
    mul   v, x4, z3
    mul   w, z4, z4
    mul   g, y3, w
    mul   w, z3, z3
    mul   h, y4, w
    mul   e, u, u
    mul   t, v, v
    add   xx, e, t           ; (X1 Z2 + X2 Z1)^2
    add   w, u, v
    add   j, g, h
    mul   j, j, w
    mul   z5, z3, z4
    mul   z5, z5, xx
    add   t, t, h
    mul   t, t, u
    add   e, e, g
    mul   e, e, v
    add   x5, t, e
    mul   w, u, j
    mul   e, xx, g
    add   w, w, e
    mul   w, w, xx
    add   j, j, z5
    mul   j, j, x5
    add   y5, w, j
; the double, if they are the same
    mul   e, x3, x3
    mul   w, z3, z3
    mul   z6, e, w
    mul   e, e, e
    mul   w, w, w
    mul   w, w, b
    add   x6, e, w
    mul   j, y3, y3
    mul   e, a, z6
    add   j, j, e
    add   j, j, w
    mul   j, j, x6
    mul   w, w, z6
    add   y6, j, w
    equal u, v
    move  e, zero^one
    equal g, h
    move  e, zero^e
    equal e, one
    move  x5, x5^x6
    move  y5, y5^y6
    move  z5, z5^z6
; one of them, if the other is 0
    equal z4, zero
    move  x5, x5^x3
    move  y5, y5^y3
    move  z5, z5^z3
    equal z3, zero
    move  x5, x5^x4
    move  y5, y5^y4
    move  t1, z5^z4

; its inverse: that to the 2^m - 2
;; the inverse
.table   t 16
.number  inverse             ; 2^m - 2
.count   digits=bits/4
    move  t0, one
    mul   t2, t1, t1
    mul   t3, f, t1
    mul   t4, f, t1
    mul   t5, f, t1
    mul   t6, f, t1
    mul   t7, f, t1
    mul   t8, f, t1
    mul   t9, f, t1
    mul   t10, f, t1
    mul   t11, f, t1
    mul   t12, f, t1
    mul   t13, f, t1
    mul   t14, f, t1
    mul   t15, f, t1
    rewind inverse
    mul   -, one, one
power:
    bits  4
    scan  v, t
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, f
    mul   -, f, v
    repeat digits, power
    mul   v, f, one
;;

    mul   x1, x5, v
    mul   w, v, v
    mul   y1, y5, w
    mul   p.0, x1, 1
    mul   p.1, y1, 1

; is it on the curve, as P was?
    mul   xx, x1, x1
    add   u, x1, y1
    add   v, x1, a
    mul   w, y1, u
    mul   v, xx, v
    add   v, v, b
    add   u, w, one
    equal right, one
    move  v, u^v
    equal v, w
    release p, nothing
