import PouchContract
import PouchWire

extension RouteRegistrar {
    /// The orders of all customers, customers, sales reports and exports.
    func addManagedOrders(_ services: ShopServices, pages: ListPager) {
        let desk = ManagedOrderHandlers(services: services, pages: pages)
        self(Contract.allOrders).read(desk.orders)
        self(Contract.managedOrder).read(desk.order)
        self(Contract.updateOrder).write(desk.update)
        self(Contract.cancelManagedOrder).perform(
            desk.cancel)
        self(Contract.fulfilOrder).write(desk.fulfil)
        self(Contract.deliverOrder).write(desk.deliver)
        self(Contract.refundOrder).perform(desk.refund)
        self(Contract.addOrderNote).write(desk.addNote)
        self(Contract.packingSlip).perform(
            desk.packingSlip)

        let figures = FigureHandlers(services: services, pages: pages)
        self(Contract.customers).read(figures.customers)
        self(Contract.customer).read(figures.customer)
        self(Contract.salesReport).read(figures.sales)
        self(Contract.stockLevels).read(figures.stock)

        let exports = ExportHandlers(services: services)
        self(Contract.exportOrders).stream(exports.orders)
        self(Contract.exportCustomers).stream(
            exports.customers)
        self(Contract.exportStock).stream(exports.stock)
    }
}
