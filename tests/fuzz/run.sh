#!/usr/bin/env bash
# Builds every *_fuzz.cpp of this folder with the code it tests under the address and undefined-behaviour sanitizers, and
# runs each for ASSAY_FUZZ_SECONDS (default 60): with clang by libFuzzer, starting from the seeds below; without clang
# random changes of them (driver.cpp). Inputs that break something are kept in build/fuzz/findings.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../packaging/common.sh"

seconds=${ASSAY_FUZZ_SECONDS:-60}
here=$root/tests/fuzz
work=$root/build/fuzz
mkdir -p "$work/findings"

if command -v clang++ >/dev/null; then
    compiler=clang++ instrument="-fsanitize=fuzzer-no-link,address,undefined" link="-fsanitize=fuzzer,address,undefined"
else
    compiler=g++ instrument="-fsanitize=address,undefined" link="-fsanitize=address,undefined"
    say "clang is not installed: random changes without coverage"
fi
flags=(-O1 -g1 -fno-omit-frame-pointer "-fno-sanitize-recover=undefined")

# The libraries under test, compiled once with the sanitizers by the compiler in use.
build=$work/$compiler
cmake -S "$root" -B "$build" -G Ninja -DASSAY_TORCH=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_CXX_FLAGS="${flags[*]} $instrument" -DASSAY_FUZZ=ON -DASSAY_FUZZ_LINK="$link" >"$work/cmake.log" 2>&1 ||
    die 1 "cmake failed: see $work/cmake.log"
cmake --build "$build" --target fuzz_targets >"$work/build.log" 2>&1 || die 1 "the fuzz targets do not compile: see $work/build.log"

# Seeds: small files of the right kind that the tests hold already, and a minimal one of each.
seeds() {
    local target=$1 folder=$work/corpus/$1
    mkdir -p "$folder"
    case $target in
        spec) find "$root/experiments" -name '*.yaml' -size -64k -exec cp -f {} "$folder/" \; ;;
        gguf | gguf_meta) find "$root/tests/golden" -name '*.gguf' -size -256k -exec cp -f {} "$folder/" \; ;;
        safetensors)
            find "$root/tests/golden" -name '*.safetensors' -size -256k -exec cp -f {} "$folder/" \;
            printf '\100\0\0\0\0\0\0\0%-64s\0\0\0\0' '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}' >"$folder/minimal"
            ;;
        tokenizer_json)
            find "$root/tests/golden" -name '*tokenizer*.json' -size -256k -exec cp -f {} "$folder/" \;
            printf '%s' '{"version":"1.0","added_tokens":[],"normalizer":null,"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true},"post_processor":null,"decoder":{"type":"ByteLevel"},"model":{"type":"BPE","vocab":{"H":0,"e":1,"He":2},"merges":["H e"]}}' >"$folder/minimal"
            ;;
        tokenizer_files)  # the first byte says which kind of file follows
            printf '\0\12\11\12\5<unk>\30\2\12\10\12\1a\25\0\0\200\277\12\12\12\3\342\226\201\25\0\0\0\300' >"$folder/sentencepiece"
            printf '\1YQ== 0\nYg== 1\n' >"$folder/tiktoken"
            printf '\2%s' '{"config":{"pattern":" ?a+","default_vocab_size":3,"default_num_special_tokens":2},"vocab":[{"rank":0,"token_bytes":"AA=="}]}' >"$folder/tekken"
            printf '\3[UNK]\n[CLS]\n[SEP]\nhe\n##l\n##lo\n' >"$folder/vocab_txt"
            printf '\4%s\0%s' '{"H":0,"e":1,"He":2,"Ġ":3}' '#version: 0.2
H e' >"$folder/vocab_merges"
            printf '\5' >"$folder/rwkv"
            for ((byte = 0; byte < 256; byte++)); do printf "%d b'\\\\x%02x' 1\\n" $((byte + 1)) "$byte"; done >>"$folder/rwkv"
            printf "257 'ab' 2\n258 \"\\\\u2009'\" 4\n" >>"$folder/rwkv"
            ;;
        megatron_index)
            # One document of one 16-bit id; the first byte says where the .idx ends and the .bin begins.
            printf '\370MMIDIDX\0\0\1\0\0\0\0\0\0\0\10\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0' >"$folder/one"
            printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\7\0' >>"$folder/one"
            ;;
        chat_template) python3 "$root/tests/chat/fuzz_seeds.py" "$folder" ;;
        jsonl)
            printf '\0{"text":"one"}\n{"text":5}\n' >"$folder/lines"
            printf '\1[{"text":"one"},{"text":"two"}]' >"$folder/array"
            printf '\2text,label\n"a ""b""",1\nc,2\n' >"$folder/csv"
            printf '\3one\ntwo\n\nthree\n' >"$folder/text"
            printf '\1{"data":[{"text":"one"},{"messages":[{"role":"user","content":"q"}]}]}' >"$folder/wrapped"
            { printf '\6'; printf '{"text":"one"}\n{"text":"two"}\n' | gzip -n; } >"$folder/gzip"
            if command -v zstd >/dev/null; then { printf '\7'; printf 'one\ntwo\n' | zstd -q; } >"$folder/zstd"; fi
            ;;
        shard)
            # one row of two segments: header, index, lengths 2 and 1, no tails, three ids
            { printf 'ASSAYSEQ\2\0\0\0\2\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\10\0\0\0\0\0\0\0'
              printf '\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0'
              printf '\2\0\0\0\1\0\0\0\234\377\377\377\234\377\377\377\1\0\2\0\3\0\7'; } >"$folder/minimal"
            ;;
    esac
}

# One target; what it found stands in its log.
fuzz() {
    local target=$1 log=$work/$1.log arguments
    if [[ $compiler == clang++ ]]; then
        arguments=(-max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1
            -artifact_prefix="$work/findings/$target-" "$work/corpus/$target")
    else
        arguments=("$seconds" "$work/corpus/$target")
    fi
    if "$build/bin/fuzz_$target" "${arguments[@]}" >"$log" 2>&1; then
        say "$target for $seconds s: $(grep -E 'number_of_executed_units|inputs' "$log" | tail -1)"
    else
        say "$target FAILED: $(grep -m1 -E 'ERROR|runtime error|SUMMARY|ALARM' "$log" || tail -1 "$log") (all of it: $log)"
        return 1
    fi
}

# As many at a time as there are cores.
broken=0 running=0
for source in "$here"/*_fuzz.cpp; do
    target=$(basename "$source" _fuzz.cpp)
    seeds "$target"
    if ((running == $(nproc))); then
        wait -n || broken=$((broken + 1))
        running=$((running - 1))
    fi
    fuzz "$target" &
    running=$((running + 1))
done
while ((running-- > 0)); do
    wait -n || broken=$((broken + 1))
done
((broken == 0)) || die 1 "targets that broke: $broken"
