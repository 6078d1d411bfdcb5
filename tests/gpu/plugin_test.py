"""libassay_cuda.so without a GPU: its exported and needed symbols, and that it loads and finds no device.

Usage: plugin_test.py PLUGIN CHECK_PROGRAM ABI_HEADER
"""
import json
import os
import re
import subprocess
import sys
import unittest

PLUGIN, CHECK, HEADER = sys.argv[1:4]
# What a training step on a GPU takes from LibTorch; resolved when the plugin is loaded.
NEEDED = ["c10::cuda::device_count()", "c10::cuda::CUDACachingAllocator::allocator", "c10d::ProcessGroupNCCL::ProcessGroupNCCL(",
          "at::_ops::_fused_adamw_::call(", "at::_ops::_amp_foreach_non_finite_check_and_unscale_::call(",
          "at::_ops::_amp_update_scale_::call(", "at::autocast::set_autocast_enabled(", "at::_ops::linear::call("]


def output(*command) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def missing_libraries() -> list:
    return [line.split()[0] for line in output("ldd", PLUGIN).splitlines() if "not found" in line]


class Plugin(unittest.TestCase):
    def test_exports_the_border_and_nothing_else(self):
        exported = {line.split()[-1] for line in output("nm", "-D", "--defined-only", PLUGIN).splitlines()}
        with open(HEADER, encoding="utf-8") as file:
            declared = set(re.findall(r"^int32_t (assayCuda\w+)\(", file.read(), re.MULTILINE))
        self.assertGreater(len(declared), 5)
        self.assertEqual({name for name in exported if name.startswith("assay")}, declared)
        ours = [name for name in output("nm", "-DC", "--defined-only", PLUGIN).splitlines() if " assay::" in name]
        self.assertEqual(ours, [], "internal names are visible")

    def test_takes_its_work_from_libtorch(self):
        undefined = output("nm", "-DC", "--undefined-only", PLUGIN)
        self.assertEqual([name for name in NEEDED if name not in undefined], [])
        dynamic = output("readelf", "-d", PLUGIN)
        for library in ("libtorch_cuda.so", "libc10_cuda.so", "libtorch_cpu.so", "libc10.so"):
            self.assertIn(f"[{library}]", dynamic)
        self.assertNotIn("libtorch_python", dynamic)

    def test_every_needed_symbol_is_defined_by_the_linked_libraries(self):
        defined = set()
        for line in output("ldd", PLUGIN).splitlines():
            path = line.split(" => ")[-1].split(" (")[0].strip()
            if re.search(r"lib(torch_cuda|c10_cuda|torch_cpu|c10|cudart|stdc\+\+|m|gcc_s|c)\.so", path) and os.path.exists(path):
                defined |= {row.split()[-1].split("@")[0] for row in output("nm", "-D", "--defined-only", path).splitlines()}
        undefined = [row.split() for row in output("nm", "-D", "--undefined-only", PLUGIN).splitlines()]
        unmet = [row[-1].split("@")[0] for row in undefined if row[0] == "U"]
        self.assertEqual([name for name in unmet if name not in defined], [])

    def test_loads_without_a_gpu_or_names_the_library_that_is_missing(self):
        environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
        result = subprocess.run([CHECK, PLUGIN], capture_output=True, text=True, check=False, env=environment)
        missing = missing_libraries()
        if missing:
            self.assertEqual(result.returncode, 1)
            self.assertTrue(any(name in result.stderr for name in missing), result.stderr)
        else:
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(json.loads(result.stdout), {"abi": 1, "devices": []})


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
