//! Markdown tables.

/// Prints the head of a table: names of columns, with ` | ` between them.
pub fn head(columns: &str) {
    println!("| {columns} |\n|{}", "---|".repeat(columns.split(" | ").count()));
}
