#!/usr/bin/env bash
# Stands for `assay` in tests of tools.call: `fake_tool.sh tool NAME --store FOLDER`. What the parameters say is done.
set -euo pipefail
input=$(cat)
plan='{"memory":{"peak_bytes":100},"total_seconds":8,"cost_usd":4,"cost_sensitivity":{"price_minus_20_percent":3.2,"price_plus_20_percent":4.8,"utilisation":[{"utilisation":0.5,"cost_usd":8}]},"energy_joules":null,"capacity_bytes":1000,"stages":[{"name":"a","kind":"train","runs":2,"members":[1,2],"memory":{"peak_bytes":100},"seconds":4,"seconds_uncertainty":0.5,"step_seconds":0.25}]}'
case "$input" in
*'name: planned'*) printf '%s\n' "$input" >> "$4/plan.input"; printf '%s' "$plan" ;;
*'name: unplanned'*) printf '{"error":{"code":"not_found","message":"no such model","hint":"","context":[]}}'; exit 3 ;;
*'name: slowly'*)
  if [ -e "$4/go" ]; then printf '%s' "$plan"; else echo $$ >> "$4/plan.pids"; exec sleep 600; fi ;;
*'"echo"'*) printf '{"tool":"%s","store":"%s","given":%s}' "$2" "$4" "$input" ;;
*'"refuse"'*) printf '{"error":{"code":"invalid_file","message":"row 7 is broken","hint":"correct it","context":["here"]}}'; exit 2 ;;
*'"crash"'*) echo 'about to fall' >&2; kill -SEGV $$ ;;
*'"silent"'*) echo 'no idea' >&2; exit 3 ;;
*'"rubbish"'*) echo 'hello' ;;
*'"large"'*) head -c 4000000 /dev/zero | tr '\0' 'x' ;;
*'"hang"'*) echo $$ >> "$4/tool.pids"; exec sleep 600 ;;
esac
