//! Classes that must not call a probe, because the probe calls them.

/// Whether the runtime's hot path, or the VM before the runtime can be linked, runs code of this class (internal name).
///
/// Such classes are left alone with [`crate::SkipReason::RuntimeUses`].
pub fn runtime_uses(class: &str) -> bool {
    class == "java/lang/Object"
}
