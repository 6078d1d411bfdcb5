#!/bin/sh
# Stands for `assay` in tests of tools.call: `fake_tool.sh tool NAME --store FOLDER`. What the parameters say is done.
input=$(cat)
case "$input" in
*'"echo"'*) printf '{"tool":"%s","store":"%s","given":%s}' "$2" "$4" "$input" ;;
*'"refuse"'*) printf '{"error":{"code":"invalid_file","message":"row 7 is broken","hint":"correct it","context":["here"]}}'; exit 2 ;;
*'"crash"'*) echo 'about to fall' >&2; kill -SEGV $$ ;;
*'"silent"'*) echo 'no idea' >&2; exit 3 ;;
*'"rubbish"'*) echo 'hello' ;;
*'"large"'*) head -c 4000000 /dev/zero | tr '\0' 'x' ;;
*'"hang"'*) echo $$ >> "$4/tool.pids"; exec sleep 600 ;;
esac
