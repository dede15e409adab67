import PouchContract
import PouchWire

extension RouteRegistrar {
    /// The orders of all customers, customers, sales reports and exports.
    func addManagedOrders(_ services: ShopServices, pages: ListPager) {
        let orders = ManagedOrderHandlers(services: services, pages: pages)
        self(Contract.allOrders).read(orders.orders)
        self(Contract.managedOrder).read(orders.order)
        self(Contract.updateOrder).write(orders.update)
        self(Contract.cancelManagedOrder).perform(orders.cancel)
        self(Contract.fulfilOrder).write(orders.fulfil)
        self(Contract.deliverOrder).write(orders.deliver)
        self(Contract.refundOrder).perform(orders.refund)
        self(Contract.addOrderNote).write(orders.addNote)
        self(Contract.packingSlip).perform(orders.packingSlip)

        let figures = FigureHandlers(services: services, pages: pages)
        self(Contract.customers).read(figures.customers)
        self(Contract.customer).read(figures.customer)
        self(Contract.salesReport).read(figures.sales)
        self(Contract.stockLevels).read(figures.stock)

        let exports = ExportHandlers(services: services)
        self(Contract.exportOrders).stream(exports.orders)
        self(Contract.exportCustomers).stream(exports.customers)
        self(Contract.exportStock).stream(exports.stock)
    }
}
