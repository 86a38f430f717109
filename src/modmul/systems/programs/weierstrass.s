; SPDX-License-Identifier: Apache-2.0
; k P on y^2 = x^3 + a x + b, any a and b, of odd order: by the ladder on x alone (Brier and Joye 2002) with sums that
; have no exceptions on such curves, and its y. p is the point, x + 2^N y with N the bits of a number in the engine.
;     modmul run weierstrass --core rrm -m 29 p=2+1*2^16 k=5 a=8 b=6 b4=24 inverse=27 blind=5
; modmul.use.ecc and modmul ecc run it with curves by name.
; D and S are points whose difference is P, as X : Z. A round doubles D if its bit of k is the one before it, otherwise
; S, and adds the two. blind randomises both, and is another number in every operation. Nothing leaves but a point of
; the curve that has been made of a point of the curve.
.number  one r2 m zero=0 nothing=0
.number  a=~a b=~b
.number  l=~blind            ; not 0
.operand p k
.long    p nothing
.modulus m
;; numbers of the ladder
.number  b4=~b4              ; 4 b
;; is P on the curve?
    mul   x, p.0, r2
    mul   y, p.1, r2
    mul   xx, x, x
    mul   v, y, y
    add   w, xx, a
    mul   w, w, x
    add   w, w, b
    equal v, w
    move  right, zero^one
;; D and S
    move  dx, l              ; D = 0 P
    move  dz, zero
    mul   sx, x, l           ; S = P
    move  sz, l
    mul   l, l, l
;; the digits
    bits  first
    jump  body
round:
    bits  1
body:
;; a doubling and a sum
    mul   u, sx, dz
    mul   v, dx, sz
    add   w, dx, dz
    mul   e, dz, sz
    add   g, sx, sz
    mul   h, dz?sz, dz?sz    ; of the point that is doubled
    mul   i, w?g, w?g
    sub   j, v, u
    mul   q, dx?sx, dx?sx
    add   c, v, u
    mul   xx, a, e
    add   zz, c, c           ; 2 (X1 Z2 + X2 Z1)
    mul   n, a, h
    sub   o, i, q
    mul   sz, j, j           ; (X1 Z2 - X2 Z1)^2
    sub   w, o, h            ; 2 X Z
    mul   g, dx, sx
    sub   u, q, n
    add   v, q, n
    mul   c, b4, h           ; 4 b Z^2
    add   i, g, xx           ; X1 X2 + a Z1 Z2
    mul   j, b4, e
    mul   o, zz, i
    mul   n, w, v
    mul   q, w, c
    mul   xx, c, h
    mul   g, x, sz
    mul   zz, j, e
    add   i, n, n
    mul   v, u, u
    sub   w, o, g
    add   dz, i, xx
    add   sx, w, zz
    sub   dx, v, q
;;
    loop  round
;; k P and (k + 1) P
    move  x1, dx!sx
    move  z1, dz!sz
    move  x2, sx!dx
    move  z2, sz!dz
;; k P with its y
; k P = X1 : Z1 and (k + 1) P = X2 : Z2, and 2 y Z1^2 Z2 times as much as the y of k P, which is 2 b Z1^2 Z2
; + (a Z1 + x X1) (x Z1 + X1) Z2 - X2 (x Z1 - X1)^2
    mul   u, x, z1
    mul   v, a, z1
    mul   w, x, x1
    mul   e, z1, z1
    mul   g, z1, z2
    add   h, u, x1
    sub   u, u, x1
    add   v, v, w
    add   w, b, b
    mul   h, h, v
    mul   w, w, e
    mul   u, u, u
    add   v, y, y
    add   h, h, w
    mul   v, v, g            ; 2 y Z1 Z2
    mul   h, h, z2
    mul   u, u, x2
    sub   u, h, u
    mul   g, x1, v
    mul   t1, v, z1
;; the inverse
.table   t 16
.number  inverse             ; p - 2
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

    mul   x1, g, v           ; x of k P
    mul   y1, u, v
    sub   u, zero, y
    equal z2, zero           ; k = -1: -P
    move  x1, x1^x
    move  y1, y1^u
    equal z1, zero           ; k = 0: no point that could leave
    move  right, right^zero
    mul   p.0, x1, 1
    mul   p.1, y1, 1

; is it on the curve, as P was?
    mul   w, x1, x1
    mul   v, y1, y1
    add   w, w, a
    mul   w, w, x1
    add   w, w, b
    add   u, w, one
    equal right, one
    move  v, u^v
    equal v, w
    release p, nothing
