; SPDX-License-Identifier: Apache-2.0
; x^e mod M by the Montgomery powering ladder.
; R is the core's Montgomery radix, 1 in the plain domain; a * b stands for its product a b / R mod M.
; p is the product of two powers, x^k and x^(k+1), s the square of one of them.
.number  one r2              ; R mod M, R^2 mod M
.operand x e
.entry   product

main:
;; a = x * R²: into the domain of the core
    mul   a, x, r2
;; p = a * R, and s = R * R or a * a, by the first bit of e
    bits  first
    mul   p~, f, one
    mul   s~, one?a, one?a
    jump  test

round:
;; a further bit: p = s * p, and s = s * s, or p * p if the bit is not the one before
    bits  1
    mul   p~, f, p'
    mul   s~, s'?p', s'?p'
test:
    loop  round
;; z = s * 1, or p * 1 if the last bit is 1: out of the domain
    mul   -, s~!p~, 1
    out   f

product:
;; with `product_i`: z = x·y mod M, f = x * R², z = f * y
    mul   -, x, r2
    mul   -, f, e
    out   f
