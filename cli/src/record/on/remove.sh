# Removes the folder of a recording that has not begun. $1: the mark, $2: the folder.
rm -rf -- "$2" && printf '\n%s\n' "$1"
