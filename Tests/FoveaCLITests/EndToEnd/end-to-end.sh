#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tries the built program against what a test process cannot do to itself: signals, closed pipes, full disks, kills,
# pipes as input, many files. Run by hand:
#
#   Tests/FoveaCLITests/EndToEnd/end-to-end.sh .build/release/fovea PHOTO.jpg
#
# Needs LiteRT (make setup), and for the full disk either root (a tmpfs is mounted) or nothing (it is left out).
set -u
fovea=$(realpath "${1:?the program}")
photo=$(realpath "${2:?a photo}")
work=$(mktemp -d)
trap 'umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

check() { # NAME, then a command that must succeed
  local name=$1
  shift
  if "$@"; then echo "ok    $name"; else
    echo "FAIL  $name"
    failures=$((failures + 1))
  fi
}
equal() { [ "$1" = "$2" ] || { echo "      got '$1', expected '$2'"; false; }; }
whole_lines() { # FILE: every line is a JSON object
  python3 -c 'import json,sys
text = open(sys.argv[1], encoding="utf-8").read()
assert text == "" or text.endswith("\n"), "the last line is torn"
for line in text.splitlines(): json.loads(line)' "$1"
}
valid_json() { python3 -c 'import json,sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$1"; }
count() { python3 -c 'import json,sys; print(len({json.loads(l)["image"] for l in open(sys.argv[1])}))' "$1"; }

mkdir many
for i in $(seq 1 200); do ln "$photo" "many/$i.jpg" 2>/dev/null || cp "$photo" "many/$i.jpg"; done

"$fovea" detect many --format jsonl -q | head -1 >first; status=("${PIPESTATUS[@]}")
check "a closed pipe ends quietly" equal "${status[0]}" 0
check "the reader got a whole line" whole_lines first

"$fovea" detect many --format jsonl -q >/dev/full 2>err; code=$?
check "a full standard output is exit 1" equal $code 1
check "it says why" grep -q "No space left on device" err

(ulimit -f 16; "$fovea" detect many --format jsonl -q --output limited.jsonl 2>err); code=$?
check "a file size limit is exit 1" equal $code 1
check "it leaves whole lines" whole_lines limited.jsonl
check "it wrote something" test -s limited.jsonl
"$fovea" detect many --format jsonl -q --output limited.jsonl --resume
check "it can be continued" equal "$(count limited.jsonl)" 200
check "nothing is there twice" equal "$(wc -l <limited.jsonl)" 200

mkdir small
if mount -t tmpfs -o size=8k tmpfs small 2>/dev/null; then
  for format in jsonl csv text; do
    "$fovea" detect many --format $format -q --output small/out 2>err; code=$?
    check "a full disk is exit 1 ($format)" equal $code 1
    check "it names the file ($format)" grep -q "small/out.*No space left" err
    check "the last line is whole ($format)" equal "$(tail -c1 small/out | od -An -tx1 | tr -d ' ')" 0a
    [ $format = jsonl ] && check "every line is whole" whole_lines small/out
    rm -f small/out
  done
  "$fovea" detect many --format json -q --output small/out 2>err; code=$?
  check "a full disk is exit 1 (json)" equal $code 1
  check "no half file is left" equal "$(ls -A small)" ""
  umount small
else
  echo "--    no tmpfs could be mounted: the full disk was not tried"
fi

for signal in INT TERM; do
  "$fovea" detect many --jobs 1 --format json --output "$signal.json" --report "$signal.html" -q &
  pid=$!
  sleep 0.7
  kill -$signal $pid; wait $pid; code=$?
  check "SIG$signal ends with 130" equal $code 130
  check "SIG$signal leaves valid JSON" valid_json "$signal.json"
  check "SIG$signal leaves a whole page" equal "$(tail -n1 "$signal.html")" "</html>"
  check "SIG$signal leaves no temporary file" test ! -e "$signal.json.partial"
done

for i in 1 2 3 4 5 6; do
  "$fovea" detect many --format jsonl -q --unordered --resume --output killed.jsonl &
  pid=$!
  sleep 0.$((3 + i))
  kill -KILL $pid 2>/dev/null; wait $pid 2>/dev/null
done
"$fovea" detect many --format jsonl -q --resume --output killed.jsonl
check "killed six times, then whole" whole_lines killed.jsonl
check "every photo is there once" equal "$(wc -l <killed.jsonl) $(count killed.jsonl)" "200 200"
"$fovea" detect many --format csv -q --output killed.csv & pid=$!
sleep 0.8; kill -KILL $pid; wait $pid 2>/dev/null
head -c -3 killed.csv >torn && mv torn killed.csv
"$fovea" detect many --format csv -q --resume --output killed.csv
check "a torn CSV is completed" equal "$(tail -n +2 killed.csv | cut -d, -f1 | sort -u | wc -l)" 200

for format in voc yolo; do
  for i in 1 2 3; do
    "$fovea" detect many --format $format -q --resume --output "killed-$format" & pid=$!
    sleep 0.$((3 + i)); kill -KILL $pid 2>/dev/null; wait $pid 2>/dev/null
  done
  "$fovea" detect many --format $format -q --resume --output "killed-$format"
  check "killed three times, every photo has its file ($format)" \
    equal "$(find "killed-$format" -name '*.xml' -o -path '*/labels/*.txt' | wc -l)" 200
  check "nothing half is left ($format)" equal "$(find "killed-$format" -name '*.partial')" ""
done
check "annotations are XML" python3 -c 'import glob, xml.etree.ElementTree as tree
for file in glob.glob("killed-voc/*.xml"): tree.parse(file)'

"$fovea" detect - --format jsonl <"$photo" >stdin.jsonl
check "standard input is an image" grep -q '"image": "-", "width"' stdin.jsonl
"$fovea" detect <(cat "$photo") --format jsonl >pipe.jsonl
check "a pipe is an image" grep -q '"width"' pipe.jsonl
(sleep 5) | "$fovea" detect - 2>err & pid=$!
sleep 0.5; kill -INT $pid; wait $pid; code=$?
check "Ctrl-C ends waiting for input" equal $code 130

mkfifo nobody
"$fovea" detect nobody 2>err & pid=$!
sleep 0.5; kill -INT $pid; wait $pid; code=$?
check "Ctrl-C ends waiting for a named pipe's writer" equal $code 130
"$fovea" detect "$photo" --annotate closed.jpg 2>err >&-; code=$?
check "a closed standard output is exit 1" equal $code 1
check "it says so" grep -q "Bad file descriptor" err

cp "$photo" "$(printf 'odd\377\n\033[31m.jpg')"
"$fovea" detect . --format jsonl -q >odd.jsonl
check "a name of any bytes is read" whole_lines odd.jsonl
check "it was found" grep -q '"width"' odd.jsonl
"$fovea" detect "$(printf 'odd\377\n\033[31m.jpg')" --format jsonl >odd.jsonl
check "it is read when it is named, too" grep -q '"width"' odd.jsonl
head -c 500 "$photo" >"$(printf 'twin\376.jpg')"
cp "$photo" "$(printf 'twin\377.jpg')"
"$fovea" detect "$(printf 'twin\376.jpg')" "$(printf 'twin\377.jpg')" --format jsonl >twins.jsonl 2>err
check "names that look the same are told apart" equal "$(grep -c '"width"' twins.jsonl)" 1
"$fovea" detect 'many/1?.jpg' --format jsonl -q >glob.jsonl
check "a pattern in quotes is expanded" equal "$(wc -l <glob.jsonl)" 10

check "and have their bytes" equal "$(grep -o '"imageBytes": "[^"]*"' twins.jsonl | sort -u | wc -l)" 2
"$fovea" detect "$(printf 'twin\376.jpg')" "$(printf 'twin\377.jpg')" --format jsonl --resume --output twins.jsonl -q 2>err
check "a resumed run tells them apart" equal "$(wc -l <twins.jsonl)" 2

mkfifo slow
for format in jsonl json coco csv text voc yolo; do
  (sleep 3; cat "$photo") >slow &
  "$fovea" detect slow --format $format --output "held-$format" --report "held-$format.html" -q 2>first-err & pid=$!
  until [ -e "held-$format" ] || [ -e "held-$format.partial" ]; do sleep 0.1; done
  sleep 0.3
  "$fovea" detect "$photo" --format $format --output "held-$format" -q 2>err; code=$?
  check "a second process with the same output is exit 1 ($format)" equal $code 1
  check "it says why ($format)" grep -q "held-$format: another process is writing" err
  "$fovea" detect "$photo" --report "held-$format.html" -q 2>err >/dev/null; code=$?
  check "so it is with the same page ($format)" equal $code 1
  wait $pid; code=$?
  check "the first one is not disturbed ($format)" equal $code 0
  check "nothing but results is left ($format)" equal "$(ls -d "held-$format" "held-$format".*)" "held-$format
held-$format.html"
done
(sleep 2) >slow & writer=$!
"$fovea" detect slow --format json --output gone.json 2>/dev/null & pid=$!
until [ -e gone.json.partial ]; do sleep 0.1; done
kill -KILL $pid; wait $pid 2>/dev/null
kill $writer 2>/dev/null  # It waits for a reader where the process was killed before it opened the pipe.
"$fovea" detect "$photo" --format json --output gone.json -q; code=$?
check "a killed process holds no lock" equal "$code $(ls gone.json*)" "0 gone.json"
"$fovea" detect "$photo" --format json --output /dev/stdout -q >stdout.json
check "/dev/stdout is standard output" valid_json stdout.json

: >bad.jpg
head -c 500 "$photo" >cut.jpg
"$fovea" detect bad.jpg cut.jpg missing.jpg "$photo" https://x/y.jpg --format jsonl >mixed.jsonl 2>err; code=$?
check "failures are exit 1" equal $code 1
check "every input has a line" equal "$(wc -l <mixed.jsonl)" 5
check "every failure has a line" equal "$(grep -c '^fovea: ' err)" 4
"$fovea" detect "$photo" --frobnicate 2>/dev/null; code=$?
check "a wrong option is exit 64" equal $code 64
"$fovea" detect "$photo" --model "$photo" 2>err; code=$?
check "a model that is none is exit 1" equal $code 1
check "it is one line" equal "$(wc -l <err)" 1

[ $failures -eq 0 ] && echo "all passed" || echo "$failures failed"
exit $((failures > 0))
