import PouchEntities

/// How the way to the buyer is shown.
public enum AddressText {
    public static func line(_ shipping: Shipping) -> String {
        "Delivery \(shipping.methodId), to \(line(shipping.address))"
    }

    public static func line(_ address: Address) -> String {
        [
            address.name, address.line1, address.line2, "\(address.postalCode) \(address.city)", address.region,
            address.country,
        ].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
