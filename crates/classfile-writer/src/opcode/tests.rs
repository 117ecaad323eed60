use super::*;

#[test]
fn the_table_is_whole() {
    let defined = OPCODES.iter().take_while(|info| info.is_some()).count();
    assert_eq!(defined, 202);
    assert!(OPCODES[202..].iter().all(Option::is_none));
    assert_eq!(info(JSR_W).map(|info| info.name), Some("jsr_w"));
    // JVMS §6.5: instructions of each length.
    let of = |length: u8| {
        OPCODES.iter().flatten().filter(|info| info.operands.instruction_length() == length).count()
    };
    assert_eq!([of(1), of(2), of(3), of(4), of(5), of(0)], [147, 14, 33, 1, 4, 3]);
}

#[test]
fn inverse_conditions_are_inverse() {
    for opcode in (IFEQ..=IF_ACMPNE).chain([IFNULL, IFNONNULL]) {
        let inverse = inverse_condition(opcode);
        assert!(inverse != opcode && inverse_condition(inverse) == opcode);
    }
    let pairs =
        [(IFEQ, IFNE), (IFLT, IFGE), (IFGT, IFLE), (IF_ICMPEQ, IF_ICMPNE), (IF_ICMPLT, IF_ICMPGE)];
    for (opcode, inverse) in pairs.into_iter().chain([
        (IF_ICMPGT, IF_ICMPLE),
        (IF_ACMPEQ, IF_ACMPNE),
        (IFNULL, IFNONNULL),
    ]) {
        assert_eq!(inverse_condition(opcode), inverse);
    }
}
