# Runs a recording. $1: its folder; then the program and its words. The input has words, one per
# line: signals to pass on, and `beat` while the other end is there.
dir=$1
shift
: >"$dir/beat"
exec 3<&0 </dev/null
tell() {
    until read -r pid <"$dir/pid"; do
        [ -d "$dir" ] || exit
        sleep 1
    done
    # Afterwards the number may be that of another process.
    case $(tr '\0' ' ' <"/proc/$pid/cmdline") in
    *"$dir"*) kill -s "$1" "$pid" ;;
    esac
}
lost() {
    tell INT
    sleep 30
    tell TERM
}
{
    while read -r word; do
        case $word in
        beat) : >"$dir/beat" ;;
        HUP | INT | QUIT | TERM | USR1 | USR2 | ALRM) tell "$word" ;;
        esac
    done
    lost
} <&3 3<&- >/dev/null 2>&1 &
reader=$!
# A network that swallows everything ends no input.
{
    while sleep 60 && rm "$dir/beat"; do :; done
    lost
} 3<&- </dev/null >/dev/null 2>&1 &
timer=$!
# Caught, so that the code is written in any case; the recording gets them as they were. Not before:
# a fork that has not begun would lose the signal that ends it.
trap : HUP INT TERM
# In the foreground: a shell lets background commands ignore INT.
sh -c 'echo $$ >"$1/pid" && shift && exec "$@"' sh "$dir" "$@" 3<&-
code=$?
exec 2>/dev/null
kill "$reader" "$timer"
rm -f "$dir/jfathom"
echo "$code" >"$dir/code.new" && mv "$dir/code.new" "$dir/code"
exit "$code"
