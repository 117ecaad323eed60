# Makes the folder of a recording, and says where it is and what this machine is. $1: the mark.
# The folder is removed again unless the answer to that is read: the connection may be lost.
trap '' PIPE
umask 077
dir=$(mktemp -d "${TMPDIR:-/tmp}/jfathom-record.XXXXXXXXXX") || exit 1
printf '\n%s\n%s\n%s\n%s\n' "$1" "$dir" "$(uname -sm)" "$(jfathom --version 2>/dev/null </dev/null)"
read -r answer
[ "$answer" = keep ] || rm -rf -- "$dir"
