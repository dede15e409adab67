#if TerminalPrograms
    import PouchClient

    extension Shop {
        /// Prints an order; with how to follow the ride that brings it, for those who can see rides.
        func show(_ order: Order) async throws {
            let isFollowed = try await client.account.restore()?.kind == .customer && order.isUnderWay
            let ride = isFollowed ? order.rideId.map { [.blank, RideText.watch($0)] } : nil
            try show(order, as: OrderText.blocks(order) + (ride ?? []))
        }
    }
#endif
