#if TerminalPrograms
    import PouchClient

    /// How the way to the buyer is shown.
    enum ShippingText {
        static func blocks(_ shipping: Shipping) -> [Block] {
            let address = shipping.address
            let place = [
                address.name, address.line1, address.line2, "\(address.postalCode) \(address.city)", address.region,
                address.country,
            ]
            return [.line(Text("\(shipping.methodId) to \(place.compactMap { $0 }.joined(separator: ", "))"))]
        }
    }
#endif
