# Says how a recording has ended, and prints its profile. $1: the mark, $2: the folder. A recording
# that still runs has lost its connection, and is ended. The folder goes when the answer is `done`.
trap '' PIPE
code=none
tries=0
# It may be about to begin.
while [ -f "$2/beat" ] && [ ! -f "$2/pid" ] && [ ! -f "$2/code" ] && [ "$tries" -lt 3 ]; do
    sleep 1
    tries=$((tries + 1))
done
if [ ! -f "$2/code" ] && [ -f "$2/pid" ]; then
    code=running
    read -r pid <"$2/pid"
    # After a restart the number may be that of another process.
    case $(tr '\0' ' ' <"/proc/$pid/cmdline") in
    *"$2"*) kill -s INT "$pid" ;;
    esac 2>/dev/null
    tries=0
    while [ ! -f "$2/code" ] && [ "$tries" -lt 60 ]; do
        sleep 1
        tries=$((tries + 1))
    done
fi
[ ! -f "$2/code" ] || read -r code <"$2/code"
size=none
[ ! -f "$2/profile.jfp" ] || size=$(wc -c <"$2/profile.jfp")
printf '\n%s\n%s\n%s\n' "$1" "$code" "$size"
[ "$size" = none ] || cat "$2/profile.jfp"
read -r answer && [ "$answer" = done ] && rm -rf -- "$2" && echo removed
