; SPDX-License-Identifier: Apache-2.0
; x^e mod M by the Montgomery powering ladder.
; R is the core's Montgomery radix, 1 in the plain domain; a * b stands for its product a b / R mod M.
; p is the product of two powers, x^k and x^(k+1), s the square of one of them.
; A round squares p in place of s if its bit is not the one before.
.number  one r2              ; R mod M, R^2 mod M
.operand x e
.entry   product

main:
    mul   a, x, r2          ; x R: enter the domain
    bits  first
    mul   p~, f, one
    mul   s~, one?a, one?a
    jump  test

round:
    bits  1
    mul   p~, f, p'
    mul   s~, s'?p', s'?p'
test:
    loop  round
    mul   -, s~!p~, 1       ; leave the domain: s, or p if the last bit is 1
    out   f

product:                    ; x y mod M in place of the power
    mul   -, x, r2
    mul   -, f, e
    out   f
