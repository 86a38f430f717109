# SPDX-License-Identifier: Apache-2.0
#
# A core on AXI in a block design for a Zynq-7000, in Vivado: written to the tool's documented commands, NOT RUN HERE.
#
#   modmul export montgomery_csa2 --width 256 --bus axi -o csa2
#   FOLDER=csa2 TOP=mm_montgomery_csa2 vivado -mode batch -source examples/zynq/block_design.tcl
#
# With modmul export --name OWN, TOP is OWN_mm_montgomery_csa2; --core-clock is not for it. The processor reaches the
# registers through its port M_AXI_GP0; the streams are left to a DMA engine of yours, and tied off here. PART and CLOCK
# (MHz) change the device and its clock.

set folder [file normalize $::env(FOLDER)]
set top    $::env(TOP)
set part   [expr {[info exists ::env(PART)] ? $::env(PART) : "xc7z020clg400-1"}]
set clock  [expr {[info exists ::env(CLOCK)] ? $::env(CLOCK) : 100}]

create_project -force device $folder/build/zynq -part $part

set list [open $folder/axi/${top}_axi.f]
foreach source [split [string trim [read $list]]] {
  add_files -norecurse $folder/$source
  set_property file_type SystemVerilog [get_files $folder/$source]
}
close $list

# A module reference takes a Verilog file: a wrapper without streams.
set wrapper [open $folder/build/zynq/${top}_zynq.v w]
puts $wrapper "module ${top}_zynq ("
foreach {direction bits name} {
  input 1 aclk input 1 aresetn
  input 13 s_axi_awaddr input 3 s_axi_awprot input 1 s_axi_awvalid output 1 s_axi_awready
  input 32 s_axi_wdata input 4 s_axi_wstrb input 1 s_axi_wvalid output 1 s_axi_wready
  output 2 s_axi_bresp output 1 s_axi_bvalid input 1 s_axi_bready
  input 13 s_axi_araddr input 3 s_axi_arprot input 1 s_axi_arvalid output 1 s_axi_arready
  output 32 s_axi_rdata output 2 s_axi_rresp output 1 s_axi_rvalid input 1 s_axi_rready
} {
  puts $wrapper "  $direction wire \[[expr {$bits - 1}]:0\] $name,"
  lappend pins ".${name}($name)"
}
puts $wrapper "  output wire irq"
puts $wrapper ");"
puts $wrapper "  ${top}_axi u_device ([join $pins {, }], .irq(irq),"
puts $wrapper "    .s_axis_tvalid(1'b0), .s_axis_tready(), .s_axis_tdata(0), .s_axis_tlast(1'b0),"
puts $wrapper "    .m_axis_tvalid(), .m_axis_tready(1'b1), .m_axis_tdata(), .m_axis_tlast());"
puts $wrapper "endmodule"
close $wrapper
add_files -norecurse $folder/build/zynq/${top}_zynq.v
update_compile_order -fileset sources_1

create_bd_design system
create_bd_cell -type ip -vlnv xilinx.com:ip:processing_system7:5.5 processor
apply_bd_automation -rule xilinx.com:bd_rule:processing_system7 -config {make_external "FIXED_IO, DDR"} \
  [get_bd_cells processor]
set_property -dict [list CONFIG.PCW_USE_FABRIC_INTERRUPT 1 CONFIG.PCW_IRQ_F2P_INTR 1 \
  CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ $clock] [get_bd_cells processor]
create_bd_cell -type module -reference ${top}_zynq device
apply_bd_automation -rule xilinx.com:bd_rule:axi4 \
  -config {Master "/processor/M_AXI_GP0" Clk "Auto"} [get_bd_intf_pins device/s_axi]
connect_bd_net [get_bd_pins device/irq] [get_bd_pins processor/IRQ_F2P]
assign_bd_address
validate_bd_design
save_bd_design

make_wrapper -files [get_files system.bd] -top -import
set_property top system_wrapper [current_fileset]
launch_runs impl_1 -to_step write_bitstream
wait_on_run impl_1
