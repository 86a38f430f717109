; SPDX-License-Identifier: Apache-2.0
; k P on y^2 + x y = x^3 + a x^2 + b over GF(2^m), by the ladder of Lopez and Dahab (1999) and its y. p is the point,
; x + 2^N y with N the bits of a number in the engine.
;     modmul run binary_curve --core fips -m x^5+x^2+1 p=10+18*2^8 k=5 a=1 b=1 root=1 inverse=30 blind=12
; modmul.use.ecc and modmul ecc run it with curves by name.
; D and S are points whose difference is P, as X : Z. A round doubles D if its bit of k is the one before it, otherwise
; S, and adds the two. blind randomises both, and is another number in every operation. Nothing leaves but a point of
; the curve that has been made of a point of the curve.
.number  one r2 m zero=0 nothing=0
.number  a=~a b=~b c=~root   ; root^2 = b
.number  l=~blind            ; not 0
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

    move  dx, l              ; D = 0 P
    move  dz, zero
    mul   sx, x, l           ; S = P
    move  sz, l
    mul   l, l, l
    bits  first
    jump  body
round:
    bits  1
body:
    mul   u, dx?sx, dx?sx    ; of the point that is doubled
    mul   v, dz?sz, dz?sz
    mul   g, dx, sz
    mul   h, sx, dz
    mul   w, c, v
    mul   dz, u, v           ; X^2 Z^2
    add   e, g, h
    mul   sz, e, e           ; (X1 Z2 + X2 Z1)^2
    mul   g, g, h
    add   u, u, w
    mul   dx, u, u           ; X^4 + b Z^4
    mul   w, x, sz
    add   sx, w, g
    loop  round

; k P = X1 : Z1 and (k + 1) P = X2 : Z2
    move  x1, dx!sx
    move  z1, dz!sz
    move  x2, sx!dx
    move  z2, sz!dz
    mul   u, x, z1
    mul   v, x, z2
    mul   w, z1, z2
    add   e, xx, y
    mul   h, x1, v           ; x X1 Z2
    add   u, x1, u
    add   v, x2, v
    mul   w, w, e
    mul   u, u, v
    add   u, u, w            ; (X1 + x Z1) (X2 + x Z2) + (x^2 + y) Z1 Z2
    mul   v, z1, z2
    mul   t1, x, v           ; x Z1 Z2

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

    mul   x1, h, v           ; x of k P
    mul   u, u, v
    add   w, x, x1
    mul   w, u, w
    add   y1, w, y
    add   u, x, y
    equal z2, zero           ; k = -1: -P
    move  x1, x1^x
    move  y1, y1^u
    equal z1, zero           ; k = 0: no point that could leave
    move  right, right^zero
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
