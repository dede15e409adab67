/// The name of a type's schema: without modules, the parts of a nested or generic type joined, as in `OrderEvent` for
/// `Order.Event` and `AddressPage` for `Page<Address>`.
public enum SchemaName {
    public static func name(of type: any Any.Type) -> String {
        name(reflected: String(reflecting: type))
    }

    private static func name(reflected text: String) -> String {
        guard let angle = text.firstIndex(of: "<"), text.last == ">" else {
            return text.split(separator: ".").dropFirst().joined()
        }
        let argument = text[text.index(after: angle)...].dropLast()
        return name(reflected: String(argument)) + name(reflected: String(text[..<angle]))
    }
}
