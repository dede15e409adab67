import PouchDomain
import PouchEntities
import Testing

@Suite("Order machine")
struct OrderMachineTests {
    @Test
    func
        `An order is paid, sent and delivered in this order, cancelled before it was sent, and refunded from anywhere after it was paid`()
    {
        let allowed: Set<[OrderStatus]> = [
            [.pending, .paid], [.pending, .cancelled], [.paid, .cancelled], [.paid, .fulfilled],
            [.fulfilled, .delivered],
            [.partiallyRefunded, .cancelled], [.partiallyRefunded, .fulfilled], [.partiallyRefunded, .delivered],
            [.paid, .refunded], [.fulfilled, .refunded], [.delivered, .refunded], [.partiallyRefunded, .refunded],
            [.paid, .partiallyRefunded], [.fulfilled, .partiallyRefunded], [.delivered, .partiallyRefunded],
            [.partiallyRefunded, .partiallyRefunded],
        ]
        for from in OrderStatus.allCases {
            for to in OrderStatus.allCases {
                #expect(OrderMachine.allows(from, to: to) == allowed.contains([from, to]), "\(from) to \(to)")
            }
        }
    }
}
